"""`simtlab ceilings`: what a GPU allows a kernel at most."""

import dataclasses
import json
import sys
from typing import Annotated

import typer

from simtlab.ceilings.peaks import DATA_SHEETS, Peaks, peaks_of
from simtlab.ceilings.roofline import Ceiling, Work, ceiling, kernels
from simtlab.cli.options import JsonOption
from simtlab.terminal import console, plain_table

_LEAST = 1e-6


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("ceilings")(ceilings)


def ceilings(
    gpu: Annotated[
        str, typer.Argument(metavar="[GPU]", help=", ".join(DATA_SHEETS) + ".", show_default="your own figures")
    ] = "",
    gigaflops: Annotated[
        float | None,
        typer.Option("--gigaflops", min=_LEAST, help="Peak of single precision, in billion operations per second."),
    ] = None,
    bandwidth: Annotated[
        float | None, typer.Option("--bandwidth", min=_LEAST, help="Of the GPU's memory, in GB per second.")
    ] = None,
    intensity: Annotated[
        list[float] | None,
        typer.Option("--intensity", min=_LEAST, help="Operations per byte of a kernel of your own; repeatable."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print a GPU's peaks, its ridge point, and what a kernel reaches at most by its operations per byte.

    Peaks come from the data sheet, for `fp32` without tensor cores. Without any cache, as the lectures count: at 86.4
    GB/s the naive product stops at 21.6 GFLOP/s. A kernel's bytes are counted by `make profile`.
    """
    peaks = peaks_of(gpu, gigaflops, bandwidth)
    own = [Work("your kernel", one) for one in intensity or []]
    found = [ceiling(work, peaks) for work in sorted(kernels() + own, key=lambda work: work.intensity)]
    if as_json:
        sys.stdout.write(json.dumps(_document(peaks, found), indent=1) + "\n")
        return
    out = console()
    out.print(f"{peaks.name}: {peaks.gigaflops:,.5g} GFLOP/s, {peaks.gigabytes_per_second:,.5g} GB/s", soft_wrap=True)
    out.print(f"ridge point: {peaks.ridge:.3g} operations per byte\n")
    table = plain_table("kernel", "FLOP/byte", "GFLOP/s", "of peak", "limit", right=("FLOP/byte", "GFLOP/s", "of peak"))
    for one in found:
        table.add_row(
            one.work.name,
            f"{one.work.intensity:.3g}",
            f"{one.gigaflops:,.6g}",
            f"{100 * one.fraction:.3g} %",
            "memory" if one.bound_by_memory else "arithmetic",
        )
    out.print(table)
    out.print("\nWithout any cache: every byte that the source asks for comes from memory.")


def _document(peaks: Peaks, found: list[Ceiling]) -> dict[str, object]:
    return {
        "format": "simtlab-ceilings",
        "version": 1,
        **dataclasses.asdict(peaks),
        "ridge": peaks.ridge,
        "kernels": [
            {
                "name": one.work.name,
                "intensity": one.work.intensity,
                "gigaflops": one.gigaflops,
                "fraction": one.fraction,
                "bound_by_memory": one.bound_by_memory,
            }
            for one in found
        ],
    }

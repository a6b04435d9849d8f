"""`simtlab canary`: the device class of the GPU here, and whether it holds still."""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from simtlab.cli.options import BuildOption, JsonOption
from simtlab.device.canary import KERNELS, MARGIN, Times, drifts, median_interval, require_canary, run_canary
from simtlab.device.device_class import this_device
from simtlab.errors import UsageError
from simtlab.labs.catalogue import default_build, find_root
from simtlab.terminal import console, plain_table


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("canary")(canary)


def canary(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1000, help="How often; each is held to the first.")] = 2,
    program: Annotated[
        Path | None,
        typer.Option("--program", help="The canary.", show_default="$SIMTLAB_CANARY, or the build tree's"),
    ] = None,
    build: BuildOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the device class of the GPU here, and what the canary's kernels take: medians in milliseconds with
    intervals.

    A grading on GPUs by tasks runs the canary before and after each chunk. Exit code 1: a run drifted from the first.
    """
    device = this_device()
    if device is None:
        raise UsageError("canary: no usable GPU here (nvidia-smi lists none, or CUDA_VISIBLE_DEVICES hides it)")
    if program is not None and not os.access(program, os.X_OK):
        raise UsageError(f"--program {program}: expected a program that prints the canary's times; there is none")
    chosen = program.absolute() if program else require_canary((build or default_build(find_root())).absolute())
    found = [run_canary(chosen) for _ in range(runs)]
    drifted = [[one.sentence for one in drifts(found[0], times)] for times in found]
    if as_json:
        document = {
            "format": "simtlab-canary-report",
            "version": 1,
            **asdict(device),
            "margin": MARGIN,
            "runs": [
                {"kernels": _document(times), "drift": words} for times, words in zip(found, drifted, strict=True)
            ],
        }
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        out = console()
        out.print(f"device class: {device.device_class}", soft_wrap=True, markup=False)
        table = plain_table("run", *KERNELS, "drifted", right=KERNELS)
        for number, (times, words) in enumerate(zip(found, drifted, strict=True), 1):
            table.add_row(str(number), *(_cell(times, kernel) for kernel in KERNELS), "; ".join(words) or "no")
        out.print(table)
        out.print(f"medians in ms, with 99 % intervals; beyond {100 * MARGIN:.0f} % of the first run is drift")
    if any(drifted):
        raise typer.Exit(1)


def _document(times: Times) -> dict[str, Any]:
    found = {}
    for kernel in KERNELS:
        centre, low, high = median_interval(times[kernel])
        found[kernel] = {"median": centre, "low": low, "high": high, "samples": list(times[kernel])}
    return found


def _cell(times: Times, kernel: str) -> str:
    centre, low, high = median_interval(times[kernel])
    return f"{centre:.4f} ({low:.4f} to {high:.4f})"

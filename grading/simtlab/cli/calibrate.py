"""`simtlab calibrate`: the ceilings of this GPU, and every lab's variants by their times."""

import json
import tempfile
import threading
from pathlib import Path
from typing import Annotated

import typer

from simtlab.calibrate.count import count, counting_tool
from simtlab.calibrate.counters import Reading, readings_of, write_readings
from simtlab.calibrate.ladder import Ceilings, DeviceFile, Ladder, Rung, ceilings_of, ladder_of, rung_of
from simtlab.class_run.conditions import Conditions
from simtlab.class_run.worker import grade_submission
from simtlab.cli.options import AllowWeakOption, BuildOption, RunnerPrefixOption, catalogue_of, conditions_of
from simtlab.errors import LabFault, UsageFault
from simtlab.facts.model import Facts, Status
from simtlab.labs.catalogue import Lab
from simtlab.store.results import ResultStore
from simtlab.terminal import console, plain_table
from simtlab.verify.expectation import Expectation
from simtlab.verify.lab import plan_of
from simtlab.verify.specimen import Specimen, specimens_of


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("calibrate")(calibrate)


def calibrate(
    lab: Annotated[str, typer.Argument(metavar="[LAB]", help="07 or 07-shared-tiling.", show_default="all labs")] = "",
    build: BuildOption = None,
    output: Annotated[Path | None, typer.Option("--output", help="Where the device file goes.")] = None,
    counters: Annotated[
        bool, typer.Option("--counters", help="Count instead: the emulator beside the hardware, by Nsight Compute.")
    ] = False,
    runner_prefix: RunnerPrefixOption = "",
    allow_weak: AllowWeakOption = False,
) -> None:
    """Measure this GPU, and time every solution and correct variant on it, one after the other.

    Prints the variants of each lab by their times, how far apart neighbours are, and marks those that time cannot tell
    apart. With --counters it prints each kernel's counters, the emulator's beside the hardware's, and marks ratios more
    than 1 % apart; lines of such a kernel follow. Exit code 2: there is no GPU, or nothing to measure.
    """
    catalogue = catalogue_of(build)
    conditions = conditions_of(catalogue, "cuda", runner_prefix, allow_weak=allow_weak)
    names = [catalogue.resolve(lab)] if lab else catalogue.names
    labs = [catalogue.labs[name] for name in names if name in catalogue.labs]
    labs = [one for one in labs if conditions.backend in one.build.backends and one.solution_folder.is_dir()]
    if not labs:
        raise UsageFault(f"nothing to calibrate: no lab in {catalogue.build} has solutions and the backend cuda")
    if counters:
        _compare_counters(labs, conditions, output)
        return
    out = console()
    ladders: list[Ladder] = []
    ceilings: Ceilings | None = None
    for one in labs:
        rungs: list[Rung] = []
        for specimen in _right_specimens(one):
            facts = _time(specimen, conditions)
            if facts is None:
                continue
            ceilings = ceilings or ceilings_of(facts)
            if rung := rung_of(Path(specimen.name).stem, facts):
                rungs.append(rung)
        ladders.append(ladder_of(one.name, rungs))
        _print(ladders[-1])
    if ceilings is None:
        raise UsageFault("no ceiling was measured: build the target simtlab-baselines, or look at `simtlab doctor`")
    out.print(
        f"{ceilings.gpu}: copies {ceilings.copy_gigabytes_per_second:.0f} GB/s, "
        f"reads {ceilings.read_gigabytes_per_second:.0f} GB/s, "
        f"{ceilings.giga_multiply_adds_per_second / 1000:.1f} single-precision multiply-adds a picosecond"
    )
    if output is not None:
        document = DeviceFile(ceilings=ceilings, ladders=ladders)
        output.write_text(document.model_dump_json(indent=1) + "\n", encoding="utf-8")


def _compare_counters(labs: list[Lab], conditions: Conditions, output: Path | None) -> None:
    tool, out = counting_tool(), console()
    readings: list[Reading] = []
    for lab in labs:
        if "emulator" not in lab.build.backends:
            raise UsageFault(f"{lab.name} is not built for the emulator here, so there is nothing to compare with")
        table = plain_table(lab.name, "kernel", "ratio", "emulator", "GPU", "", right=("emulator", "GPU"))
        for specimen in _right_specimens(lab):
            variant = Path(specimen.name).stem
            words = ["--seed", str(conditions.seed)]
            if conditions.runner_prefix:
                words += ["--runner-prefix", json.dumps(list(conditions.runner_prefix))]
            emulator = count(lab, specimen.name, specimen.files, "emulator", words)
            gpu = count(lab, specimen.name, specimen.files, "cuda", [*words, "--counters", tool])
            if gpu.problem:
                raise UsageFault(gpu.problem)
            found = readings_of(lab.name, variant, emulator.launches, gpu.launches)
            differing = {one.kernel for one in found if not one.is_same}
            for one in found:
                if one.line == 0 or one.kernel in differing:
                    where = f"{one.kernel}:{one.line}" if one.line else one.kernel
                    table.add_row(variant, where, one.ratio, _figure(one.emulator), _figure(one.gpu), _mark(one))
            readings += found
        out.print(table)
    kernels = {(one.lab, one.variant, one.kernel) for one in readings}
    apart = {(one.lab, one.variant, one.kernel) for one in readings if one.line == 0 and not one.is_same}
    out.print(f"{len(kernels) - len(apart)} of {len(kernels)} kernels have the GPU's ratios within 1 %")
    if output is not None:
        write_readings(output, readings, f"Measured by `simtlab calibrate --counters`: {conditions.gpu}.")


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _mark(one: Reading) -> str:
    return "" if one.is_same else "differs"


def _right_specimens(lab: Lab) -> list[Specimen]:
    """The solution and the variants that are declared right: a wrong one is stopped before anything is timed."""
    specimens = specimens_of(lab, None, all_mutants=False)
    if specimens.broken:
        raise LabFault(specimens.broken[0].problems[0])
    return [
        one
        for one in specimens.to_grade
        if isinstance(one.expected, Expectation) and one.expected.correct is Status.PASS
    ]


def _time(specimen: Specimen, conditions: Conditions) -> Facts | None:
    with tempfile.TemporaryDirectory(prefix="simtlab-calibrate-") as place:
        store = ResultStore(Path(place))
        one = plan_of(specimen, conditions, store)
        return grade_submission(one.submission, one.lab, one.parts, conditions, store, threading.Event()).facts


def _print(ladder: Ladder) -> None:
    out = console()
    table = plain_table(ladder.lab, "ms", "interval", "readings", "score", "margin", right=("ms", "score", "margin"))
    for place, rung in enumerate(ladder.rungs):
        margin = ladder.margin_above(place)
        table.add_row(
            rung.variant,
            f"{rung.milliseconds:.4g}",
            f"{rung.interval[0]:.4g} to {rung.interval[1]:.4g}",
            ", ".join(f"{name} {value:.3f}" for name, value in rung.readings.items()),
            f"{rung.score:.1f}",
            "" if margin is None else f"{100 * margin:.1f} %" + ("" if ladder.is_told_apart(place) else " (noise)"),
        )
    out.print(table)

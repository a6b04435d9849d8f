"""`simtlab calibrate`: the ceilings of this GPU, and every lab's variants by their times."""

import dataclasses
import json
import shlex
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import typer

from simtlab.calibrate.count import count, counting_tool
from simtlab.calibrate.counters import Reading, compiler_words, readings_of, write_readings
from simtlab.calibrate.device_file import DeviceFile
from simtlab.calibrate.ladder import Ceilings, Ladder, Step, ceilings_of, ladder_of, step_of
from simtlab.calibrate.repeats import Repeats, repeat_of, summary, variant_to_repeat
from simtlab.class_run.conditions import Conditions
from simtlab.class_run.worker import grade_submission
from simtlab.cli.options import (
    AllowWeakOption,
    BuildOption,
    EngineOption,
    JsonOption,
    RunnerPrefixOption,
    backend_of,
    catalogue_of,
    conditions_of,
)
from simtlab.errors import UsageError
from simtlab.facts.model import Facts
from simtlab.labs.build_description import SASS
from simtlab.labs.catalogue import Lab
from simtlab.store.results import ResultStore
from simtlab.terminal import console, plain_table
from simtlab.verify.lab import plan_of
from simtlab.verify.specimen import Specimen, right_specimens


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("calibrate")(calibrate)


def calibrate(
    lab: Annotated[str, typer.Argument(metavar="[LAB]", help="07 or 07-shared-tiling.", show_default="all labs")] = "",
    build: BuildOption = None,
    output: Annotated[Path | None, typer.Option("--output", help="Where the device file goes.")] = None,
    repeat: Annotated[int, typer.Option("--repeat", min=0, help="Then grade one variant per lab N times more.")] = 0,
    only_repeat: Annotated[
        Path | None, typer.Option("--repeat-of", help="Leave the ladders out: repeat what this device file repeated.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Gradings at a time; calls are timed alone.")] = 4,
    variants: Annotated[
        list[str] | None, typer.Option("--variant", help="Time this variant and the solution; repeatable.")
    ] = None,
    only_times: Annotated[
        bool,
        typer.Option(
            "--only-times", help="Run the solution's cases alone: `simtlab verify` has run all. Repeats never do."
        ),
    ] = False,
    store: Annotated[
        Path | None, typer.Option("--store", help="Keep every grading's facts here, samples included.")
    ] = None,
    counters: Annotated[
        bool, typer.Option("--counters", help="Count instead: the emulator beside the hardware, by Nsight Compute.")
    ] = False,
    engine: EngineOption = "",
    nvcc_options: Annotated[
        str,
        typer.Option("--nvcc-options", help="With --counters: what nvcc is told for both sides, as '-Xptxas -O1'."),
    ] = "",
    runner_prefix: RunnerPrefixOption = "",
    allow_weak: AllowWeakOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure this GPU, and time every solution and correct variant on it, one at a time.

    Prints each lab's variants by time, with the distance between neighbours, and marks those that time cannot tell
    apart. With --counters it prints each kernel's counters, the emulator's beside the hardware's, and marks ratios more
    than 1 % apart, with the kernel's lines; with --engine sass sums, too, of code as nvcc makes it by default, or with
    --nvcc-options. Exit code 2: there is no GPU, or nothing to measure.
    """
    catalogue = catalogue_of(build)
    conditions = conditions_of(catalogue, "cuda", runner_prefix, allow_weak=allow_weak)
    names = [catalogue.resolve(lab)] if lab else catalogue.names
    labs = [catalogue.labs[name] for name in names if name in catalogue.labs]
    labs = [one for one in labs if conditions.backend in one.build.backends and one.solution_folder.is_dir()]
    if not labs:
        raise UsageError(f"nothing to calibrate: no lab in {catalogue.build} has solutions and the backend cuda")
    if engine and not counters:
        raise UsageError("--engine is for --counters: times are a GPU's")
    if nvcc_options and not counters:
        raise UsageError("--nvcc-options is for --counters: times are of the lab's own build")
    if counters:
        ours, words = backend_of("emulator", engine), shlex.split(nvcc_options)
        _compare_counters(labs, conditions, output, ours, words, as_json=as_json)
        return
    wanted = _wanted(only_repeat)
    with tempfile.TemporaryDirectory(prefix="simtlab-calibrate-") as place:
        bench = _Bench(conditions, ResultStore(store or Path(place)), workers, only_times=only_times)
        document = DeviceFile(ceilings=_NO_CEILINGS)

        def keep() -> None:  # step by step: an allocation may end at any time
            if output is not None and bench.ceilings is not None:
                measured = document.model_copy(update={"ceilings": bench.ceilings})
                output.write_text(measured.model_dump_json(indent=1) + "\n", encoding="utf-8")

        for one in labs:
            specimens = {_variant_of(specimen): specimen for specimen in right_specimens(one)}
            if variants:
                specimens = {name: specimens[name] for name in ("solution", *variants) if name in specimens}
            if only_repeat is None:
                document.ladders.append(bench.ladder(one.name, specimens))
                if not as_json:
                    _print(document.ladders[-1])
                wanted[one.name] = variant_to_repeat(document.ladders[-1])
                keep()
            variant = wanted.get(one.name)
            if repeat and variant in specimens:
                document.repeats.append(bench.repeats(one.name, variant, specimens[variant], repeat))
                if not as_json:
                    console().print("  ".join(summary(document.repeats[-1])))
            keep()
    if bench.ceilings is None:
        raise UsageError("no ceiling was measured: build the target simtlab-baselines, or look at `simtlab doctor`")
    if as_json:
        document = document.model_copy(update={"ceilings": bench.ceilings})
        sys.stdout.write(document.model_dump_json(indent=1) + "\n")
        return
    console().print(
        f"{bench.ceilings.gpu}: copies {bench.ceilings.copy_gigabytes_per_second:.0f} GB/s, "
        f"reads {bench.ceilings.read_gigabytes_per_second:.0f} GB/s, "
        f"{bench.ceilings.giga_multiply_adds_per_second / 1000:.1f} single-precision multiply-adds a picosecond"
    )


_NO_CEILINGS = Ceilings(
    gpu="", driver="", copy_gigabytes_per_second=0, read_gigabytes_per_second=0, giga_multiply_adds_per_second=0
)


def _wanted(device: Path | None) -> dict[str, str | None]:
    """Which variant of each lab a device file repeated."""
    if device is None:
        return {}
    return {one.lab: one.variant for one in DeviceFile.model_validate_json(device.read_bytes()).repeats}


def _variant_of(specimen: Specimen) -> str:
    return Path(specimen.name).stem if "/" in specimen.name else "solution"


class _Bench:
    """Grades specimens, some at a time, and keeps the ceilings that the first timed one measured."""

    def __init__(self, conditions: Conditions, store: ResultStore, workers: int, *, only_times: bool) -> None:
        self._only_times = only_times
        self._conditions = conditions
        self._store = store
        self._workers = workers
        self.ceilings: Ceilings | None = None

    def ladder(self, lab: str, specimens: dict[str, Specimen]) -> Ladder:
        """Every specimen once; none, where the solution's time is not taken: a lab whose entry runs on the host.

        The solution is graded alone, with its cases, and twice: the first grading of a session waits for baselines."""
        if "solution" not in specimens or self._alone("solution", specimens["solution"], 0) is None:
            return ladder_of(lab, [])
        solution = self._alone("solution", specimens["solution"], 1)
        others = [name for name in specimens if name != "solution"]
        graded = self._grade([(specimens[name], 0) for name in others])
        steps = [step_of(name, facts) for name, facts in zip(others, graded, strict=True) if facts]
        return ladder_of(lab, [step for step in [solution, *steps] if step is not None])

    def _alone(self, variant: str, specimen: Specimen, number: int) -> Step | None:
        facts = self._grade([(specimen, number)], whole=True)[0]
        step = step_of(variant, facts) if facts else None
        return step.model_copy(update={"phases": facts.timing.phases}) if step and facts else None

    def repeats(self, lab: str, variant: str, specimen: Specimen, count: int) -> Repeats:
        """One specimen so many times, each time with other inputs."""
        graded = self._grade([(specimen, number) for number in range(1, count + 1)])
        return Repeats(lab=lab, variant=variant, gradings=[repeat_of(facts) for facts in graded if facts])

    def _grade(self, wanted: list[tuple[Specimen, int]], *, whole: bool = False) -> list[Facts | None]:
        with ThreadPoolExecutor(self._workers) as pool:
            graded = list(pool.map(lambda one: self._grade_one(one, whole=whole), wanted))
        for facts in graded:
            self.ceilings = self.ceilings or (ceilings_of(facts) if facts else None)
        return graded

    def _grade_one(self, wanted: tuple[Specimen, int], *, whole: bool) -> Facts | None:
        specimen, number = wanted
        conditions = dataclasses.replace(
            self._conditions,
            seed=self._conditions.seed + number,
            only_times=not whole and (number > 0 or self._only_times),
        )
        one = plan_of(specimen, conditions, self._store)
        result = grade_submission(one.submission, one.lab, one.parts, conditions, self._store, threading.Event())
        self._store.add(result)
        if result.facts is None:
            console().print(f"{specimen.lab.name} {specimen.name}: {result.verdict} {result.message}")
        return result.facts


def _compare_counters(
    labs: list[Lab], conditions: Conditions, output: Path | None, ours: str, wanted: list[str], *, as_json: bool
) -> None:
    """`ours`: the backend beside the GPU. The engine sass runs the GPU's instructions, so sums are compared, too."""
    tool, out = counting_tool(), console()
    our_words, its_words = compiler_words(wanted, as_compiled=ours == SASS)
    readings: list[Reading] = []
    for lab in labs:
        if "emulator" not in lab.build.backends:
            raise UsageError(f"{lab.name} is not built for the emulator here, so there is nothing to compare with")
        table = plain_table(lab.name, "kernel", "ratio", "emulator", "GPU", "", right=("emulator", "GPU"))
        for specimen in right_specimens(lab):
            variant = Path(specimen.name).stem
            words = ["--seed", str(conditions.seed)]
            if conditions.runner_prefix:
                words += ["--runner-prefix", json.dumps(list(conditions.runner_prefix))]
            emulator = count(lab, specimen.name, specimen.files, ours, words, our_words)
            gpu = count(lab, specimen.name, specimen.files, "cuda", [*words, "--counters", tool], its_words)
            if gpu.problem:
                raise UsageError(gpu.problem)
            found = readings_of(lab.name, variant, emulator.launches, gpu.launches, totals=ours == SASS)
            differing = {one.kernel for one in found if not one.is_same}
            for one in found:
                if one.line == 0 or one.kernel in differing:
                    where = f"{one.kernel}:{one.line}" if one.line else one.kernel
                    table.add_row(variant, where, one.ratio, _figure(one.emulator), _figure(one.gpu), _mark(one))
            readings += found
        if not as_json:
            out.print(table)
    if output is not None:
        write_readings(output, readings, f"Measured by `simtlab calibrate --counters`: {conditions.gpu}.")
    if as_json:
        sys.stdout.write(json.dumps([one.model_dump() for one in readings], indent=1) + "\n")
        return
    kernels = {(one.lab, one.variant, one.kernel) for one in readings}
    apart = {(one.lab, one.variant, one.kernel) for one in readings if one.line == 0 and not one.is_same}
    out.print(f"{len(kernels) - len(apart)} of {len(kernels)} kernels have the GPU's ratios within 1 %")


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _mark(one: Reading) -> str:
    return "" if one.is_same else "differs"


def _print(ladder: Ladder) -> None:
    out = console()
    table = plain_table(ladder.lab, "ms", "interval", "readings", "score", "margin", right=("ms", "score", "margin"))
    for place, step in enumerate(ladder.steps):
        margin = ladder.margin_above(place)
        table.add_row(
            step.variant,
            f"{step.milliseconds:.4g}",
            f"{step.interval[0]:.4g} to {step.interval[1]:.4g}",
            ", ".join(f"{name} {value:.3f}" for name, value in step.readings.items()),
            f"{step.score:.1f}",
            "" if margin is None else f"{100 * margin:.1f} %" + ("" if ladder.is_told_apart(place) else " (noise)"),
        )
    out.print(table)

"""`simtlab calibrate`: the ceilings of this GPU, and every lab's variants by their times."""

import tempfile
import threading
from pathlib import Path
from typing import Annotated

import typer

from simtlab.calibrate.ladder import Ceilings, DeviceFile, Ladder, Rung, ceilings_of, ladder_of, rung_of
from simtlab.class_run.conditions import DEFAULT_SEED, Conditions, choose_backend
from simtlab.class_run.worker import grade_submission
from simtlab.cli.options import AllowWeakOption, BuildOption, RunnerPrefixOption, catalogue_of, prefix_words
from simtlab.errors import UsageFault
from simtlab.facts.model import Facts, Status
from simtlab.intake.submission import Submission
from simtlab.labs.catalogue import Lab
from simtlab.sandbox.sandbox import require_sandbox
from simtlab.store.results import ResultStore
from simtlab.terminal import console, plain_table
from simtlab.verify.expectation import parse_expectation


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("calibrate")(calibrate)


def calibrate(
    lab: Annotated[str, typer.Argument(metavar="[LAB]", help="07 or 07-shared-tiling.", show_default="all labs")] = "",
    build: BuildOption = None,
    output: Annotated[Path | None, typer.Option("--output", help="Where the device file goes.")] = None,
    runner_prefix: RunnerPrefixOption = "",
    allow_weak: AllowWeakOption = False,
) -> None:
    """Measure this GPU, and time every solution and correct variant on it, one after the other.

    Prints the variants of each lab by their times, how far apart neighbours are, and marks those that time cannot tell
    apart. Exit code 2: there is no GPU, or nothing to time.
    """
    catalogue = catalogue_of(build)
    backend, reason, gpu = choose_backend("cuda")
    names = [catalogue.resolve(lab)] if lab else catalogue.names
    labs = [catalogue.labs[name] for name in names if name in catalogue.labs]
    labs = [one for one in labs if backend in one.build.backends and one.solution_folder.is_dir()]
    if not labs:
        raise UsageFault(f"nothing to calibrate: no lab in {catalogue.build} has solutions and the backend cuda")
    conditions = Conditions(
        backend=backend,
        backend_reason=reason,
        gpu=gpu,
        seed=DEFAULT_SEED,
        runner_prefix=prefix_words(runner_prefix),
        sandbox=require_sandbox(catalogue.build, catalogue.root, allow_weak=allow_weak),
    )
    out = console()
    ladders: list[Ladder] = []
    ceilings: Ceilings | None = None
    for one in labs:
        rungs: list[Rung] = []
        for variant, kernel in _variants(one):
            facts = _time(one, variant, kernel, conditions)
            if facts is None:
                continue
            ceilings = ceilings or ceilings_of(facts)
            if rung := rung_of(variant, facts):
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


def _variants(lab: Lab) -> list[tuple[str, Path]]:
    """The solution and the variants that are declared right: a wrong one is stopped before anything is timed."""
    folder = lab.solution_folder
    right = [path for path in sorted((folder / "variants").glob("*.cu")) if _is_declared_right(path)]
    return [("solution", folder / "kernel.cu"), *((path.stem, path) for path in right)]


def _is_declared_right(variant: Path) -> bool:
    return parse_expectation(variant.read_text(encoding="utf-8"), str(variant)).correct is Status.PASS


def _time(lab: Lab, variant: str, kernel: Path, conditions: Conditions) -> Facts | None:
    with tempfile.TemporaryDirectory(prefix="simtlab-calibrate-") as place:
        store = ResultStore(Path(place))
        first, *others = lab.specification.files
        files = {first: store.keep_file(kernel.read_bytes())}
        files |= {name: store.keep_file((lab.solution_folder / name).read_bytes()) for name in others}
        submission = Submission(variant, lab.name, files)
        parts = conditions.key_parts(submission, lab)
        return grade_submission(submission, lab, parts, conditions, store, threading.Event()).facts


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

"""`simtlab verify`: proves that labs are sound."""

import contextlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from simtlab.class_run.conditions import DEFAULT_SEED, Conditions, choose_backend
from simtlab.class_run.grading import stop_on_signals
from simtlab.class_run.pool import PoolListener
from simtlab.class_run.progress import LiveProgress, Quiet
from simtlab.cli.options import (
    AllowWeakOption,
    BackendOption,
    BuildOption,
    JsonOption,
    RunnerPrefixOption,
    SeedOption,
    WorkersOption,
    catalogue_of,
    prefix_words,
    worker_count,
)
from simtlab.errors import UsageFault
from simtlab.labs.catalogue import Catalogue, Lab
from simtlab.process.workplace import sweep_workplaces
from simtlab.sandbox.sandbox import require_sandbox
from simtlab.store.results import ResultStore
from simtlab.terminal import console, harmless, plain_table
from simtlab.text import counted
from simtlab.verify.lab import Check, specimens_of
from simtlab.verify.lab import verify as verify_labs

_NOT_MEASURED = {"not_measured": "–"}


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("verify")(verify)


def verify(
    lab: Annotated[str, typer.Argument(metavar="[LAB]", help="07 or 07-shared-tiling.", show_default="all labs")] = "",
    build: BuildOption = None,
    workers: WorkersOption = None,
    backend: BackendOption = "auto",
    seed: SeedOption = DEFAULT_SEED,
    runner_prefix: RunnerPrefixOption = "",
    allow_weak: AllowWeakOption = False,
    as_json: JsonOption = False,
) -> None:
    """Prove that labs are sound: stub unsolved, solution full marks, every variant as it declares.

    Exit code 0: every check passed; 1: one failed; 2: there is nothing to verify.
    """
    catalogue = catalogue_of(build)
    labs = _labs_to_verify(catalogue, lab)
    chosen, reason, gpu = choose_backend(backend)
    conditions = Conditions(
        backend=chosen,
        backend_reason=reason,
        gpu=gpu,
        seed=seed,
        runner_prefix=prefix_words(runner_prefix),
        sandbox=require_sandbox(catalogue.build, catalogue.root, allow_weak=allow_weak),
    )
    sweep_workplaces()
    count = worker_count(workers)
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="simtlab-verify-")))
        stop = stack.enter_context(stop_on_signals())
        people = console(stderr=True)
        total = sum(len(specimens_of(one)[0]) for one in labs)
        listener: PoolListener = Quiet()
        if people.is_terminal:
            listener = stack.enter_context(LiveProgress(people, total, count))
        checks = verify_labs(labs, conditions, ResultStore(place), listener, workers=count, stop=stop)
        stopped = stop.is_set()
    if as_json:
        sys.stdout.write(json.dumps(_document(checks), indent=1) + "\n")
    else:
        _print(checks, console())
    if stopped:
        raise typer.Exit(130)
    if not all(check.passed for check in checks):
        raise typer.Exit(1)


def _labs_to_verify(catalogue: Catalogue, word: str) -> list[Lab]:
    names = [catalogue.resolve(word)] if word else catalogue.names
    for name in names:
        if name in catalogue.faults:
            raise UsageFault(catalogue.faults[name])
        if name in catalogue.unbuilt:
            raise UsageFault(f"{name} is not built in {catalogue.build}: run `cmake --build {catalogue.build}` first")
        if not catalogue.labs[name].solution_folder.is_dir():
            raise UsageFault(f"{name} has no folder solutions/{name} here: a students' copy cannot be verified")
    return [catalogue.labs[name] for name in names]


def _document(checks: list[Check]) -> dict[str, object]:
    return {
        "format": "simtlab-verify",
        "version": 1,
        "passed": sum(check.passed for check in checks),
        "failed": sum(not check.passed for check in checks),
        "checks": [
            {
                "lab": check.lab,
                "specimen": check.specimen,
                "passed": check.passed,
                "expected": check.expected,
                "verdict": check.verdict,
                "correct": check.correct,
                "safe": check.safe,
                "fast": check.fast,
                "problems": check.problems,
            }
            for check in checks
        ],
    }


def _print(checks: list[Check], out: Console) -> None:
    for lab in dict.fromkeys(check.lab for check in checks):
        out.print(Text(lab, style="bold"))
        table = plain_table("", "specimen", "verdict", "correct", "safe", "fast", right=("fast",))
        for check in checks:
            if check.lab == lab:
                mark = Text("ok", style="green") if check.passed else Text("FAIL", style="bold red")
                ends = [_NOT_MEASURED.get(end, end) for end in (check.correct, check.safe, check.fast)]
                table.add_row(mark, harmless(check.specimen.removeprefix("variants/")), check.verdict, *ends)
        out.print(table)
        for check in checks:
            if check.lab == lab and not check.passed:
                out.print(harmless(f"{check.specimen}: {'; '.join(check.problems)}"), style="red")
        out.print()
    failed = sum(not check.passed for check in checks)
    out.print(f"{counted(len(checks), 'check')}, {failed or 'none'} failed")

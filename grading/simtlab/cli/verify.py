"""`simtlab verify`: proves that labs are sound."""

import contextlib
import json
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from simtlab.class_run.conditions import DEFAULT_SEED, Conditions
from simtlab.class_run.grading import stop_on_signals
from simtlab.class_run.pool import PoolListener
from simtlab.class_run.progress import LiveProgress, SparseProgress
from simtlab.cli.options import (
    AllowWeakOption,
    BackendOption,
    BuildOption,
    EngineOption,
    JsonOption,
    RunnerPrefixOption,
    SeedOption,
    WorkersOption,
    backend_of,
    catalogue_of,
    conditions_of,
    worker_count,
)
from simtlab.errors import UsageError
from simtlab.labs.catalogue import Catalogue, Lab
from simtlab.labs.draft import write_unproven
from simtlab.process.workplace import sweep_workplaces
from simtlab.release.solutions import read_solutions
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal, plain_table
from simtlab.text import counted
from simtlab.verify.check import BASE, EQUIVALENT, KILLED, STILLBORN, SURVIVED, LabReport, Subject
from simtlab.verify.lab import verify as verify_labs
from simtlab.verify.specimen import specimens_of

_NOT_MEASURED = {"not_measured": "–"}


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("verify")(verify)


def verify(
    lab: Annotated[
        list[str] | None, typer.Argument(metavar="[LAB]…", help="07 or 07-shared-tiling.", show_default="all labs")
    ] = None,
    build: BuildOption = None,
    workers: WorkersOption = None,
    backend: BackendOption = "auto",
    engine: EngineOption = "",
    seed: SeedOption = DEFAULT_SEED,
    runner_prefix: RunnerPrefixOption = "",
    allow_weak: AllowWeakOption = False,
    all_mutants: Annotated[
        bool, typer.Option("--all-mutants", help="Run every mutant and variant, not a sample of at least 8 mutants.")
    ] = False,
    no_mutants: Annotated[bool, typer.Option("--no-mutants", help="Run stub, solution and variants alone.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Prove that labs are sound: stub unsolved, solution full marks, every variant as it declares, every mutant of the
    solution killed, the handout in step with the specification.

    A lab whose lab.toml says `draft = true` needs a stub and a solution that hold; what else fails is not proven.

    Exit code 0: every check passed; 1: one failed; 2: there is nothing to verify.
    """
    if all_mutants and no_mutants:
        raise UsageError("--all-mutants and --no-mutants exclude each other: leave one out")
    catalogue = catalogue_of(build)
    conditions = conditions_of(catalogue, backend_of(backend, engine), runner_prefix, seed=seed, allow_weak=allow_weak)
    prove(
        labs_to_verify(catalogue, lab or []),
        catalogue,
        conditions,
        workers=worker_count(workers),
        all_mutants=all_mutants,
        no_mutants=no_mutants,
        as_json=as_json,
    )


def prove(
    labs: list[Lab],
    catalogue: Catalogue,
    conditions: Conditions,
    *,
    workers: int,
    all_mutants: bool = False,
    no_mutants: bool = False,
    keep_unproven: bool = False,
    as_json: bool = False,
) -> None:
    """Runs the checks of the labs and prints them; `keep_unproven` writes beside a draft's solution what failed.
    Raises `typer.Exit` with 1 where a lab fails, and with 130 where somebody stopped it."""
    sweep_workplaces()
    solutions = read_solutions(catalogue.root, sound_only=True)
    models = {Path(model.file).parent.name: model for model in solutions.models}
    mutated = {} if no_mutants else models
    specimens = [specimens_of(one, mutated.get(one.name), all_mutants=all_mutants) for one in labs]
    with contextlib.ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="simtlab-verify-")))
        stop = stack.enter_context(stop_on_signals())
        people = console(stderr=True)
        total = sum(len(one.to_grade) for one in specimens)
        listener: PoolListener = SparseProgress(total, lambda line: people.print(escape_terminal(line)))
        if people.is_terminal:
            listener = stack.enter_context(LiveProgress(people, total, workers))
        reports = verify_labs(
            specimens, solutions, conditions, ResultStore(place), listener, workers=workers, stop=stop
        )
        stopped = stop.is_set()
    drafts = {one.name for one in labs if one.specification.draft}
    if as_json:
        sys.stdout.write(json.dumps(_document(reports, drafts), indent=1) + "\n")
    else:
        _print(reports, drafts, console())
    if stopped:
        raise typer.Exit(130)
    if keep_unproven:
        for one, report in zip(labs, reports, strict=True):
            if one.specification.draft:
                write_unproven(one.solution_folder, report.unproven)
    if not all(report.is_usable if report.lab in drafts else report.passed for report in reports):
        raise typer.Exit(1)


def labs_to_verify(catalogue: Catalogue, words: list[str]) -> list[Lab]:
    """The labs that are meant, all by default. Raises `UsageError` for one that cannot be verified here."""
    names = sorted({catalogue.resolve(word) for word in words}) or catalogue.names
    for name in names:
        if name in catalogue.faults:
            raise UsageError(catalogue.faults[name])
        if name in catalogue.unbuilt:
            raise UsageError(f"{name} is not built in {catalogue.build}: run `cmake --build {catalogue.build}` first")
        if not catalogue.labs[name].solution_folder.is_dir():
            raise UsageError(f"{name} has no folder solutions/{name} here: a students' copy cannot be verified")
    return [catalogue.labs[name] for name in names]


def _document(reports: list[LabReport], drafts: set[str]) -> dict[str, object]:
    checks = [check for report in reports for check in report.checks]
    return {
        "format": "simtlab-verify",
        "version": 1,
        "unproven": {report.lab: report.unproven for report in reports if report.lab in drafts},
        "passed": sum(check.passed for check in checks),
        "failed": sum(not check.passed for check in checks),
        "mutants": {report.lab: _counts(report) for report in reports},
        "checks": [asdict(check) | {"passed": check.passed} for check in checks],
    }


def _counts(report: LabReport) -> dict[str, int]:
    ends = Counter(one.end for one in report.mutations)
    counts = {"made": report.mutants, "run": len(report.mutations)}
    return counts | {end: ends[end] for end in (KILLED, SURVIVED, EQUIVALENT, STILLBORN)}


def _print(reports: list[LabReport], drafts: set[str], out: Console) -> None:
    for report in reports:
        is_draft = report.lab in drafts
        out.print(Text(report.lab + (", a draft" if is_draft else ""), style="bold"))
        table = plain_table("", "specimen", "verdict", "correct", "safe", "fast", right=("fast",))
        for check in report.checks:
            if check.subject is Subject.SPECIMEN:
                is_needed = not is_draft or check.specimen in BASE
                failed_mark = Text("FAIL", style="bold red") if is_needed else Text("open", style="yellow")
                mark = Text("ok", style="green") if check.passed else failed_mark
                ends = [_NOT_MEASURED.get(end, end) for end in (check.correct, check.safe, check.fast)]
                table.add_row(mark, escape_terminal(check.specimen.removeprefix("variants/")), check.verdict, *ends)
        out.print(table)
        handout = [check for check in report.checks if check.subject is Subject.HANDOUT]
        if handout:  # none where the solution failed: nothing else was run then
            if report.mutations:
                out.print(escape_terminal(_mutants_sentence(report)))
            wrong = sum(not check.passed for check in handout)
            out.print(f"handout: {counted(len(handout), 'check')}, {wrong or 'none'} failed")
        for check in report.checks:
            for problem in check.problems:
                style = "yellow" if is_draft and check.specimen not in BASE else "red"
                out.print(escape_terminal(f"{check.specimen}: {problem}"), style=style)
        out.print()
    checks = [check for report in reports for check in report.checks]
    open_ends = sum(not c.passed and c.lab in drafts and c.specimen not in BASE for c in checks)
    failed = sum(not check.passed for check in checks) - open_ends
    unproven = f", {open_ends} not proven (of a draft)" if open_ends else ""
    out.print(f"{counted(len(checks), 'check')}, {failed or 'none'} failed{unproven}")


def _mutants_sentence(report: LabReport) -> str:
    """`mutants: 44 made, 8 run: 8 killed (correct 6, safe 1, fast 1), 0 survived, …`"""
    counts = _counts(report)
    told = Counter(one.told_by for one in report.mutations if one.end == KILLED)
    parts = ", ".join(f"{part} {told[part]}" for part in ("correct", "safe", "fast") if told[part])
    ends = f"{counts[KILLED]} killed{f' ({parts})' if parts else ''}, {counts[SURVIVED]} survived"
    for end, words in ((EQUIVALENT, "argued equivalent"), (STILLBORN, "do not compile")):
        ends += f", {counts[end]} {words}" if counts[end] else ""
    operators = len({one.specimen.rsplit("-", 1)[0] for one in report.mutations})
    return f"mutants: {counts['made']} made, {counts['run']} run ({counted(operators, 'operator')}): {ends}"

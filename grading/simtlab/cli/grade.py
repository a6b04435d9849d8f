"""`simtlab grade`: a class from folders to a table and a report."""

import contextlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.grading import GradingOutcome, grade_class
from simtlab.class_run.plan import Plan, Regrade, make_plan
from simtlab.class_run.released import keep_released, released_grades, settle_released
from simtlab.cli.options import (
    DEFAULT_REPORT,
    DEFAULT_STORE,
    AllowWeakOption,
    BackendOption,
    BuildOption,
    EngineOption,
    JsonOption,
    LabsOption,
    LimitMemoryOption,
    LimitSecondsOption,
    PolicyOption,
    RunnerPrefixOption,
    SecretSeedOption,
    StoreOption,
    WorkersOption,
    backend_of,
    catalogue_of,
    conditions_of,
    selected_labs,
    worker_count,
)
from simtlab.cli.progress import progress_for
from simtlab.course.names import course_of
from simtlab.errors import UsageError
from simtlab.executors.choose import executor_of, sweep_orders, with_options
from simtlab.intake.roster import read_roster
from simtlab.intake.student_names import StudentNames
from simtlab.intake.submission import ClassIntake
from simtlab.intake.take_in import take_in
from simtlab.judge.run import CaseLimits
from simtlab.labs.catalogue import Catalogue
from simtlab.new_course.create import sample_class
from simtlab.process.workplace import sweep_workplaces
from simtlab.report.site import write_site
from simtlab.sandbox.layers import weakness
from simtlab.score.gradebook import read_gradebook
from simtlab.score.table import class_document, print_class
from simtlab.store.claims import sweep_claims
from simtlab.store.class_run import earlier_run
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal
from simtlab.text import counted, printable

_INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("grade")(grade)


def grade(
    class_folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="DIR",
            help="DIR/<student>/<lab>/kernel.cu, a zip, or a download of Gradescope, Canvas or GitHub Classroom.",
            show_default="the bundled sample class",
        ),
    ] = None,
    labs: LabsOption = "",
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    report: Annotated[Path, typer.Option("--report", help="Where the report is written.")] = Path(DEFAULT_REPORT),
    workers: WorkersOption = None,
    backend: BackendOption = "auto",
    engine: EngineOption = "",
    seed: SecretSeedOption = None,
    runner_prefix: RunnerPrefixOption = "",
    allow_weak: AllowWeakOption = False,
    limit_seconds: LimitSecondsOption = None,
    limit_memory_mb: LimitMemoryOption = None,
    regrade: Annotated[
        str, typer.Option("--regrade", help="Grade these once more: alice, alice/07 or /07; needs --reason.")
    ] = "",
    roster: Annotated[
        Path | None,
        typer.Option(
            "--roster", help="Who is in the course: a roster of Canvas, Gradescope or Classroom, or one name per line."
        ),
    ] = None,
    times: Annotated[
        str,
        typer.Option(
            "--times",
            metavar="FILE|files|git",
            help="When each was handed in: a CSV of student, lab, submitted; files: their times; git: commits.",
            show_default="DIR/submitted.csv, where there is one",
        ),
    ] = "",
    reason: Annotated[str, typer.Option("--reason", help="The reason; kept with the grading.")] = "",
    executor: Annotated[
        str | None,
        typer.Option(
            "--executor",
            metavar="local|command|slurm",
            help="Where to grade: here, behind --executor-command, or by Slurm's job arrays.",
            show_default="local, or [executor] of the policy",
        ),
    ] = None,
    executor_command: Annotated[
        str, typer.Option("--executor-command", help='Words before a task, for command: "srun", "ssh node1".')
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Grade a class of submissions; run it again to continue where it was stopped.

    Exit code 0: graded, whatever the grades; 1: some grade waits because of a fault of ours; 2: nothing to grade.
    """
    catalogue = catalogue_of(build)
    folder = class_folder or sample_class(catalogue.root)
    course = course_of(catalogue, policy)  # before hours of grading, not after
    chosen = course.backend if backend == "auto" and course.backend != "emulator" else backend
    chosen = backend_of(chosen, engine or ("" if chosen == "cuda" else course.engine))
    chosen_executor = with_options(course.executor, executor, executor_command, workers)
    conditions = conditions_of(catalogue, chosen, runner_prefix, allow_weak=allow_weak, executor=chosen_executor)
    if chosen != backend_of(backend, engine):
        conditions = replace(conditions, backend_reason=f"{course.file} asks for it")
    results = ResultStore(store)
    conditions = replace(
        conditions,
        seed=results.seed() if seed is None else seed,
        limits=CaseLimits(limit_seconds, limit_memory_mb),
    )
    grades = executor_of(chosen_executor, catalogue, conditions, results, worker_count(workers))
    results.sweep()
    sweep_orders(results)
    sweep_claims(results)
    sweep_workplaces()
    everybody = read_roster(roster) if roster else []
    intake = take_in(folder, catalogue, results.keep_file, selected_labs(catalogue, labs), times, everybody)
    plan = make_plan(
        _class_name(folder), intake, catalogue, conditions, results, _regrade(regrade, reason, intake, catalogue)
    )
    plan = replace(plan, run=plan.run.model_copy(update={"policy": str(policy or "")}))
    released = released_grades(results, course, plan.run)
    plan, new = keep_released(plan, earlier_run(results), released, results)
    people = console(stderr=True)
    if not as_json:
        people.print(escape_terminal(_opening(plan, conditions, folder)))
    with contextlib.ExitStack() as stack:
        listener = progress_for(people, stack, len(plan.to_grade), worker_count(workers), quiet=as_json)
        outcome = grade_class(plan, conditions, results, listener, workers=worker_count(workers), executor=grades)
    conditions.sandbox.sweep()
    run = settle_released(plan.run, new, lambda one: read_gradebook(one, results, catalogue, course), results)
    book = read_gradebook(run, results, catalogue, course)
    page = write_site(book, results, report)
    if as_json:
        sys.stdout.write(json.dumps(class_document(book, outcome), indent=1) + "\n")
    else:
        out = console()
        out.print()
        print_class(book, out)
        out.print(escape_terminal(f"report: {page}   results: {results.folder}"))
    if outcome.stopped:
        people.print(escape_terminal(_how_to_continue(plan, outcome, results)))
        raise typer.Exit(_INTERRUPTED)
    if book.waiting:
        raise typer.Exit(1)


def _class_name(folder: Path) -> str:
    return folder.resolve().stem if folder.is_file() else folder.resolve().name


def _regrade(words: str, reason: str, intake: ClassIntake, catalogue: Catalogue) -> Regrade | None:
    """The submissions that `--regrade` names, each word a student, STUDENT/LAB, or /LAB for everybody."""
    if bool(words.strip()) != bool(reason.strip()):
        raise UsageError("--regrade and --reason go together: what is graded once more, and why")
    if not words.strip():
        return None
    chosen: set[tuple[str, str]] = set()
    students = StudentNames(intake.students, intake.names, intake.canvas_ids)
    for word in (one.strip() for one in words.split(",")):
        student, _, lab = word.partition("/")
        name = catalogue.resolve(lab) if lab else ""
        student = students.one(student)
        found = {
            (one.student, one.lab)
            for one in intake.submissions
            if (not student or one.student == student) and (not name or one.lab == name)
        }
        if not found:
            raise UsageError(
                f"--regrade {printable(word)}: no submission of that name was handed in; the students are: "
                f"{students.listed()}"
            )
        chosen |= found
    return Regrade(frozenset(chosen), reason.strip())


def _opening(plan: Plan, conditions: Conditions, folder: Path) -> str:
    run = plan.run
    waits = f"{counted(len(plan.to_grade), 'submission')} to grade"
    already = f", {plan.already_graded} already graded" if plan.already_graded else ""
    return (
        f"{printable(str(folder))}: {counted(len(run.students), 'student')}, {counted(len(run.labs), 'lab')}; "
        f"{waits}{already}\nbackend: {conditions.backend} ({conditions.backend_reason})\n"
        + (weakness(conditions.sandbox.layers, conditions.backend) or "sandbox: every layer is active")
    )


def _how_to_continue(plan: Plan, outcome: GradingOutcome, store: ResultStore) -> str:
    done = outcome.graded_now + outcome.already_graded
    everything = len(plan.to_grade) + outcome.already_graded
    kept = f"{done} of {everything} are graded and kept in {store.folder}"
    return f"Stopped: {kept}. The same command continues with the rest."

"""`simtlab watch`: grades what arrives in a folder."""

import contextlib
import json
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from simtlab.class_run.arrivals import Batch, Order, next_batch
from simtlab.class_run.grading import grade_class, stop_on_signals
from simtlab.class_run.plan import make_plan
from simtlab.class_run.progress import PlainProgress
from simtlab.class_run.released import keep_released, released_grades, settle_released
from simtlab.cli.options import (
    DEFAULT_REPORT,
    DEFAULT_STORE,
    AllowWeakOption,
    BuildOption,
    JsonOption,
    LabsOption,
    PolicyOption,
    StoreOption,
    WorkersOption,
    backend_of,
    catalogue_of,
    conditions_of,
    selected_labs,
    worker_count,
)
from simtlab.course.course import chosen_feedback
from simtlab.course.names import course_of
from simtlab.errors import NothingToGradeError, UsageError
from simtlab.intake.take_in import take_in
from simtlab.intake.times import FILES
from simtlab.report.for_students import write_students_site
from simtlab.report.site import write_site
from simtlab.score.gradebook import read_gradebook
from simtlab.score.table import class_document
from simtlab.store.class_run import earlier_run
from simtlab.store.index import ResultIndex
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal
from simtlab.text import counted, printable

_SECONDS_BETWEEN = 2.0
_SETTLED_SECONDS = 1.0
"""A file that was written less than this ago may be unfinished."""
_BATCH_OF_A_WORKER = 2

_State = dict[str, tuple[int, int]]
"""Of every file its time of change and size."""


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("watch")(watch)


def watch(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="DIR/<student>/<lab>/kernel.cu.")],
    labs: LabsOption = "",
    per_hour: Annotated[int, typer.Option("--per-hour", min=1, help="Gradings of a student and lab in an hour.")] = 6,
    order: Annotated[
        Order, typer.Option("--order", help="newest: what came last; fair: who had the fewest gradings.")
    ] = Order.NEWEST,
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    report: Annotated[Path, typer.Option("--report", help="Where the instructors' report is written.")] = Path(
        DEFAULT_REPORT
    ),
    for_students: Annotated[
        Path | None, typer.Option("--for-students", metavar="DIR", help="The students' pages, too: DIR/<student>/.")
    ] = None,
    workers: WorkersOption = None,
    allow_weak: AllowWeakOption = False,
    once: Annotated[bool, typer.Option("--once", help="Grade what is there, then end: for a hook or a timer.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Grade what arrives in DIR, again and again, until Ctrl-C; nothing that is finished is lost.

    A file counts as handed in when it was last changed, unless DIR/submitted.csv says when. With --json the class
    stands on a line of its own after each batch.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: expected {folder}/<student>/<lab>/kernel.cu to arrive in it")
    catalogue = catalogue_of(build)
    course = course_of(catalogue, policy)
    results = ResultStore(store)
    conditions = replace(
        conditions_of(catalogue, backend_of(course.backend, course.engine), "", allow_weak=allow_weak),
        seed=results.seed(),
    )
    chosen = selected_labs(catalogue, labs)
    count = worker_count(workers)
    people = console(stderr=True)
    results.sweep()

    def batch_now(index: ResultIndex) -> Batch:
        times = "" if (folder / "submitted.csv").is_file() else FILES
        intake = take_in(folder, catalogue, results.keep_file, chosen, times)
        plan = make_plan(folder.resolve().name, intake, catalogue, conditions, results)
        plan = replace(plan, run=plan.run.model_copy(update={"policy": str(policy or "")}))
        now = datetime.now(UTC)
        most = _BATCH_OF_A_WORKER * count
        before = earlier_run(results)
        return next_batch(plan, before, index.graded_since, now, per_hour=per_hour, order=order, most=most)

    def grade(batch: Batch, stop: threading.Event) -> None:
        listener = PlainProgress(len(batch.plan.to_grade), lambda line: people.print(escape_terminal(line)))
        released = released_grades(results, course, batch.plan.run)
        plan, new = keep_released(batch.plan, earlier_run(results), released, results)
        grade_class(plan, conditions, results, listener, workers=count, stop=stop)
        run = settle_released(plan.run, new, lambda one: read_gradebook(one, results, catalogue, course), results)
        book = read_gradebook(run, results, catalogue, course)
        write_site(book, results, report)
        if as_json:
            sys.stdout.write(json.dumps(class_document(book)) + "\n")
            sys.stdout.flush()
        if for_students is not None:
            write_students_site(book, results, for_students, chosen_feedback(None, course))

    people.print(escape_terminal(f"watching {printable(str(folder))}; Ctrl-C ends it"))
    told: set[tuple[str, str]] = set()
    waits_for = ""
    with stop_on_signals() as stop:
        for _ in _arrivals(folder, stop, once=once):
            more = True
            while more and not stop.is_set():
                try:
                    with contextlib.closing(ResultIndex(results)) as index:
                        batch = batch_now(index)
                except NothingToGradeError as nothing:
                    if str(nothing) != waits_for:
                        people.print(escape_terminal(f"Nothing to grade yet: {nothing}"), soft_wrap=True)
                    waits_for = str(nothing)
                    break
                waits_for = ""
                for (student, lab), until in batch.held.items():
                    if (student, lab) not in told:
                        people.print(escape_terminal(_held(student, lab, per_hour, until)), soft_wrap=True)
                told = set(batch.held)
                if batch.plan.to_grade:
                    grade(batch, stop)
                more = bool(batch.later)
    conditions.sandbox.sweep()
    if stop.is_set() and not once:
        people.print("Ended; what is graded is kept. The same command goes on.")


def _held(student: str, lab: str, per_hour: int, until: datetime) -> str:
    when = f"{until.astimezone():%H:%M}"
    return f"{printable(student)} {lab}: {counted(per_hour, 'grading')} in the last hour; the newest waits until {when}"


def _arrivals(folder: Path, stop: threading.Event, *, once: bool) -> Iterator[None]:
    """Once at the beginning, then whenever files have changed and are settled, and each minute for what was held."""
    known, looked = _state(folder), time.monotonic()  # before what is there is graded: more may come meanwhile
    yield
    while not once and not stop.wait(_SECONDS_BETWEEN):
        state = _state(folder)
        newest = max((changed for changed, _ in state.values()), default=0)
        if state != known and time.time() - newest / 1e9 < _SETTLED_SECONDS:
            continue
        if state != known or time.monotonic() - looked > 60:
            known, looked = state, time.monotonic()
            yield


def _state(folder: Path) -> _State:
    found: _State = {}
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            status = path.lstat()
            found[str(path)] = (status.st_mtime_ns, status.st_size)
    return found

"""Grades a class: plan, pool, store, index; a request to stop loses nothing that is finished."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.equal_submissions import first_ones_first
from simtlab.class_run.plan import Plan, PlannedGrade
from simtlab.class_run.pool import PoolListener
from simtlab.class_run.progress_file import ProgressFile
from simtlab.executors.executor import Executor
from simtlab.executors.local import LocalExecutor
from simtlab.store.class_run import write_run
from simtlab.store.index import ResultIndex
from simtlab.store.result import Result
from simtlab.store.results import ResultStore


@dataclass(frozen=True)
class GradingOutcome:
    """How a grading ended."""

    already_graded: int
    graded_now: int
    stopped: bool


class _Indexing:
    """Passes events on, and enters each result in the index."""

    def __init__(self, index: ResultIndex, *listeners: PoolListener) -> None:
        self._listeners = listeners
        self._index = index

    def started(self, planned: PlannedGrade) -> None:
        for one in self._listeners:
            one.started(planned)

    def finished(self, planned: PlannedGrade, result: Result) -> None:
        self._index.add(result)
        for one in self._listeners:
            one.finished(planned, result)

    def tick(self) -> None:
        for one in self._listeners:
            one.tick()


def grade_class(
    plan: Plan,
    conditions: Conditions,
    store: ResultStore,
    listener: PoolListener,
    *,
    workers: int,
    executor: Executor | None = None,
    counts: bool = True,
    stop: threading.Event | None = None,
) -> GradingOutcome:
    """Grades what the plan leaves to do, by default with so many workers of this machine. SIGINT and SIGTERM stop it
    cleanly, a second one at once; where `stop` is given, that alone does. A grading that does not count leaves the
    class's latest one as it is."""
    if counts:
        write_run(store, plan.run)
    index = ResultIndex(store)
    progress = ProgressFile(plan, store, workers)
    executor = executor or LocalExecutor(conditions, store, workers)
    try:
        with nullcontext(stop) if stop else stop_on_signals() as asked_to_stop:
            told = _Indexing(index, listener, progress)
            finished = executor.run(first_ones_first(plan.to_grade), told, asked_to_stop)
    finally:
        progress.close()
        index.close()
    return GradingOutcome(plan.already_graded, finished, finished < len(plan.to_grade))


@contextmanager
def stop_on_signals() -> Iterator[threading.Event]:
    """An event that SIGINT or SIGTERM sets; the second signal acts as if nobody listened."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def on_signal(number: int, _frame: object) -> None:
        stop.set()
        signal.signal(number, before[signal.Signals(number)])

    for number in before:
        signal.signal(number, on_signal)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

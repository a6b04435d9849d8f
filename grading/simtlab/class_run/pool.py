"""A pool of workers on this machine.

Workers are threads: all they do is wait for compilers and judges, which are processes of their own. Each result is in
the store before anybody is told of it. Setting `stop` ends the running programs at once; what they had not finished
leaves nothing, and the next grading takes it up again.
"""

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from simtlab.class_run.plan import PlannedGrade
from simtlab.errors import GradingStopped, SimtlabError
from simtlab.store.result import Result

Grader = Callable[[PlannedGrade, threading.Event], Result | None]
"""The unit's stored result; None while somebody else is at it."""
_BUSY_SECONDS = 0.2
_MOST_EVENTS = 64
"""That nobody was told of yet: workers wait for a slow listener, for results that pile up fill the memory."""


class PoolListener(Protocol):
    """Is told what happens, in one thread, in order."""

    def started(self, planned: PlannedGrade) -> None:
        """A worker took up a submission."""

    def finished(self, planned: PlannedGrade, result: Result) -> None:
        """A result is in the store."""

    def tick(self) -> None:
        """Nothing happened for a moment."""


@dataclass(frozen=True)
class _Started:
    planned: PlannedGrade


@dataclass(frozen=True)
class _Finished:
    planned: PlannedGrade
    result: Result


@dataclass(frozen=True)
class _Failed:
    error: BaseException


def run_pool(
    to_grade: Sequence[PlannedGrade],
    grade: Grader,
    listener: PoolListener,
    *,
    workers: int,
    stop: threading.Event,
) -> int:
    """Grades everything with `workers` at a time and returns how many were finished, fewer only when `stop` was set.

    What another grading is at is looked at again after all else. Raises what `grade` raised: a store that cannot be
    written to ends the grading.
    """
    waiting: queue.SimpleQueue[PlannedGrade] = queue.SimpleQueue()
    for planned in to_grade:
        waiting.put(planned)
    events: queue.Queue[_Started | _Finished | _Failed] = queue.Queue(_MOST_EVENTS)
    threads = [
        threading.Thread(target=_work, args=(waiting, events, grade, stop), name=f"worker {number}", daemon=True)
        for number in range(1, min(workers, len(to_grade)) + 1)
    ]
    for thread in threads:
        thread.start()
    finished = 0
    failure: BaseException | None = None
    while any(thread.is_alive() for thread in threads) or not events.empty():
        try:
            event = events.get(timeout=0.1)
        except queue.Empty:
            listener.tick()
            continue
        match event:
            case _Started(planned):
                listener.started(planned)
            case _Finished(planned, result):
                finished += 1
                listener.finished(planned, result)
            case _Failed(error):
                failure = failure or error
                stop.set()
    if failure is not None:
        raise failure
    return finished


def _work(
    waiting: "queue.SimpleQueue[PlannedGrade]",
    events: "queue.Queue[_Started | _Finished | _Failed]",
    grade: Grader,
    stop: threading.Event,
) -> None:
    while not stop.is_set():
        try:
            planned = waiting.get_nowait()
        except queue.Empty:
            return
        events.put(_Started(planned))
        try:
            result = grade(planned, stop)
        except GradingStopped:
            return
        except (SimtlabError, OSError) as error:
            events.put(_Failed(error))
            return
        if result is None:
            waiting.put(planned)
            stop.wait(_BUSY_SECONDS)
        else:
            events.put(_Finished(planned, result))


def seconds_left(seconds: float, done: int, remaining: int, workers: int) -> float | None:
    """An estimate of how long the rest takes where `done` units took so many seconds; None before anything is done."""
    if not done:
        return None
    rounds = -(-remaining // max(workers, 1))
    return seconds / done * rounds

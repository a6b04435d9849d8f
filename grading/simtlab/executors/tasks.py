"""The executor whose tasks run elsewhere: it has them started, looks into the store for their results, and has the rest
of a batch started again when its task ended too early.

A unit whose task died over and over gets `internal_error` with the reason, so that its grade waits and no other one
does. What no node can do, a full disk or another judge, ends the grading with a sentence; what was graded stays.
"""

import threading
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.plan import PlannedGrade
from simtlab.class_run.pool import PoolListener
from simtlab.errors import GraderError
from simtlab.executors.batches import batches_of
from simtlab.executors.launcher import EndedTask, Launcher
from simtlab.executors.order import OrderFolder
from simtlab.executors.settings import ExecutorSettings
from simtlab.labs.catalogue import Catalogue
from simtlab.store.claims import running_now
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict


class TaskExecutor:
    """Grades by the tasks of a launcher."""

    def __init__(
        self,
        launcher: Launcher,
        settings: ExecutorSettings,
        catalogue: Catalogue,
        conditions: Conditions,
        store: ResultStore,
    ) -> None:
        self._launcher, self._settings = launcher, settings
        self._catalogue, self._conditions, self._store = catalogue, conditions, store

    def run(self, units: Sequence[PlannedGrade], listener: PoolListener, stop: threading.Event) -> int:
        """See `Executor`. The folder in orders/ is gone afterwards."""
        if not units:
            return 0
        order = OrderFolder.make(self._store, self._catalogue, self._conditions, self._settings.prologue)
        grading = _Grading(order, self._launcher, self._settings, self._store, listener)
        try:
            grading.begin(batches_of(units, self._settings.units_per_task))
            while grading.waiting and not stop.is_set():
                grading.look()
                listener.tick()
                stop.wait(self._launcher.poll_seconds)
        finally:
            self._launcher.cancel()
            grading.take_results()
            order.remove()
        return len(units) - len(grading.waiting)


class _Grading:
    """The tasks of one grading."""

    def __init__(
        self,
        order: OrderFolder,
        launcher: Launcher,
        settings: ExecutorSettings,
        store: ResultStore,
        listener: PoolListener,
    ) -> None:
        self._order, self._launcher, self._settings = order, launcher, settings
        self._store, self._listener = store, listener
        self.waiting: dict[str, PlannedGrade] = {}
        self._batches: dict[int, list[PlannedGrade]] = {}
        self._tries: Counter[str] = Counter()
        self._told: set[str] = set()
        self._excluded: set[str] = set()
        self._refusal = ""
        """What the last node that refused a task said."""
        self._next = 0

    def begin(self, batches: Sequence[list[PlannedGrade]]) -> None:
        """Has all tasks started."""
        self.waiting = {one.parts.key: one for batch in batches for one in batch}
        self._start(batches)

    def look(self) -> None:
        """Takes results, and has started again what ended too early."""
        try:
            self._look()
        except GraderError as error:
            if self._refusal in str(error):
                raise
            # Without the node that refused, the scheduler may have none that it is allowed to take.
            raise GraderError(f"{self._refusal}. {error}") from error

    def _look(self) -> None:
        ended = self._launcher.ended()
        self._tell_started()
        self.take_results()
        again: list[list[PlannedGrade]] = []
        for task in ended:
            again += self._after(task)
        self._start(again)

    def take_results(self) -> None:
        """Tells of every result that came."""
        for key in self._store.present(self.waiting):
            result = self._store.get(key)
            if result is not None:
                self._listener.finished(self.waiting.pop(key), result)

    def _tell_started(self) -> None:
        for claim in running_now(self._store):
            if claim.key in self.waiting and claim.key not in self._told:
                self._told.add(claim.key)
                self._listener.started(self.waiting[claim.key])

    def _start(self, batches: Sequence[list[PlannedGrade]]) -> None:
        numbers = list(range(self._next, self._next + len(batches)))
        for number, batch in zip(numbers, batches, strict=True):
            self._order.add_batch(number, batch)
            self._batches[number] = batch
        self._next += len(batches)
        if numbers:
            self._launcher.start(self._order, numbers)

    def _after(self, task: EndedTask) -> list[list[PlannedGrade]]:
        """The batches to start because of a task that ended: none where all of its units have results. The first unit
        without one, and that was not measured, is what it died at, and is tried alone."""
        left = [one for one in self._batches.pop(task.number) if one.parts.key in self.waiting]
        if not left:
            return []
        said = self._order.said(task.number)
        measured = self._order.measured(task.number)
        left.sort(key=lambda one: one.parts.key in measured)
        first, rest = left[0], left[1:]
        if (said and said.of_the_node) or task.of_the_node:
            self._refused_by_node(said.node if said else task.node, said.sentence if said else task.why, first)
            return [left]
        self._tries[first.parts.key] += 1
        if said:
            raise GraderError(said.sentence)
        if self._tries[first.parts.key] < self._settings.attempts:
            return [[first], *([rest] if rest else [])]
        self._give_up(first, task)
        return [rest] if rest else []

    def _refused_by_node(self, node: str, sentence: str, first: PlannedGrade) -> None:
        """A node's first refusal is no try of the unit: a mixed cluster may have many of another kind."""
        if not node or node in self._excluded:
            self._tries[first.parts.key] += 1
        self._excluded.add(node)
        self._refusal = sentence
        if self._tries[first.parts.key] >= self._settings.attempts:
            raise GraderError(sentence)
        self._launcher.exclude(node)

    def _give_up(self, unit: PlannedGrade, task: EndedTask) -> None:
        where = f" on {task.node}" if task.node else ""
        why = task.why or "ended without a word"
        last = self._order.last_line(task.number)
        result = Result(
            key=unit.parts.key,
            parts=unit.parts,
            verdict=Verdict.INTERNAL_ERROR,
            message=f"the task that graded it{where} {why}, {self._settings.attempts} times"
            + (f"; its last line: {last}" if last else ""),
            compiler=None,
            facts=None,
            graded_at=datetime.now(UTC),
            seconds=0.0,
        )
        self._store.add(result)
        self.take_results()

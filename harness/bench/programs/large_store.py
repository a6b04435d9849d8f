"""A term of a course of a thousand in one store: 1,000 students × 4 labs × 25 attempts are 100,000 results.

First the head: its memory while results come in, from the 1,000th to the 100,000th, in the executor of this machine and
in that of tasks. Compilers and judges are left out; the store lies in memory, so that no disk is waited for. Then the
commands on a store of 100,000 results: its index made, the latest grading listed, grades and store exported.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bench.synthetic import in_child, print_value, resident_mb, simtlab, use_this_grader

if TYPE_CHECKING:
    from simtlab.class_run.plan import Plan, PlannedGrade
    from simtlab.executors.launcher import EndedTask
    from simtlab.executors.order import OrderFolder
    from simtlab.store.result import Result
    from simtlab.store.results import ResultStore

_STUDENTS, _LABS, _ATTEMPTS = 1000, 4, 25
_FIRST = 1000
_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder in memory


def main() -> None:
    """Prints memory and times."""
    place = _MEMORY if _MEMORY.is_dir() else None
    for executor in ("local", "tasks"):
        with tempfile.TemporaryDirectory(dir=place) as folder:
            growth, count = in_child(Path(__file__), "--head", executor, folder)
        print_value(f"head's memory, {executor}: growth from result 1,000 to {int(count):,}", float(growth), "MB")
    with tempfile.TemporaryDirectory() as folder:
        _use(Path(folder))


def _use(folder: Path) -> None:
    from simtlab.store.class_run import write_run
    from simtlab.store.results import ResultStore
    from tests.quick_units import QuickClass  # type: ignore[import-untyped]

    quick = QuickClass(folder / "checkout", _STUDENTS, _LABS)
    store = ResultStore(folder / "checkout" / "results")
    plan = quick.plan(store)
    answer = _Answer()
    for attempt in range(1, _ATTEMPTS + 1):
        for one in plan.to_grade:
            answer.write(store, one.parts.model_copy(update={"attempt": attempt}))
    latest = {one.parts.key: one.parts.model_copy(update={"attempt": _ATTEMPTS}).key for one in plan.to_grade}
    entries = [one.model_copy(update={"key": latest[one.key or ""]}) for one in plan.run.entries]
    write_run(store, plan.run.model_copy(update={"entries": entries, "started_at": datetime.now(UTC)}))
    root, words = quick.checkout.root, ("--store", str(store.folder))
    total = 0.0
    for what, command in {
        "indexed": ("store", "rebuild", *words),
        "the latest grading of 4,000 listed": ("status", *words),
        "its grades exported": ("export", "csv", str(folder / "grades"), *words),
        "everything exported": ("store", "export", str(folder / "term.tar.zst"), *words),
    }.items():
        seconds = simtlab(root, *command)
        total += seconds
        print_value(f"100,000 results: {what}", round(seconds, 1), "s")
    print_value("100,000 results: all of these", round(total, 1), "s")


class _Answer:
    """The results of a judge that always says the same."""

    def __init__(self) -> None:
        from tests.test_store import result_of  # type: ignore[import-untyped]

        self._result = result_of()
        self._text = self._result.model_dump_json(indent=1)
        self._parts = self._result.parts.model_dump_json(indent=1)

    def of(self, parts: object) -> Result:
        """The result of a unit."""
        from simtlab.store.result import Result

        fresh = Result.model_validate_json(self._text)  # as read from a judge: nothing in it is shared
        return fresh.model_copy(update={"key": parts.key, "parts": parts})  # type: ignore[attr-defined]

    def write(self, store: ResultStore, parts: object) -> None:
        """The same, as a task elsewhere puts it into the store."""
        path = store.result_path(parts.key)  # type: ignore[attr-defined]
        path.parent.mkdir(exist_ok=True)
        path.write_text(self.of(parts).model_dump_json(indent=1) + "\n", encoding="utf-8")


class _Growth:
    """A listener that reads the head's memory at the 1,000th result and at every 1,000th after it."""

    def __init__(self) -> None:
        self.count, self.first, self.most = 0, 0.0, 0.0

    def started(self, planned: PlannedGrade) -> None:
        """Nothing to see."""

    def finished(self, planned: PlannedGrade, result: Result) -> None:  # noqa: ARG002
        """Counts."""
        self.count += 1
        if self.count == _FIRST:
            self.first = resident_mb()
        if self.count % _FIRST == 0:
            self.most = max(self.most, resident_mb())

    def tick(self) -> None:
        """Nothing to see."""


class _Tasks:
    """A launcher whose tasks have their results in the store at once, a few at a time."""

    poll_seconds = 0.0

    def __init__(self, store: ResultStore, units: Sequence[PlannedGrade]) -> None:
        self._store, self._answer = store, _Answer()
        self._parts = {one.parts.key: one.parts for one in units}
        self._queued: deque[tuple[OrderFolder, int]] = deque()

    def start(self, order: OrderFolder, numbers: Sequence[int]) -> None:
        self._queued.extend((order, number) for number in numbers)

    def ended(self) -> list[EndedTask]:
        from simtlab.executors.launcher import EndedTask

        found = []
        for _ in range(min(10, len(self._queued))):
            order, number = self._queued.popleft()
            for unit in order.batch(number).units:
                self._answer.write(self._store, unit.parts)
            found.append(EndedTask(number, "", ""))
        return found

    def exclude(self, node: str) -> None:
        """None is named."""

    def cancel(self) -> None:
        """None runs."""


def _head(executor: str, folder: Path) -> None:
    """Grades 25,000 students × 4 labs, and prints by how much the memory grew, and how many results there were."""
    from simtlab.class_run import unit
    from simtlab.class_run.grading import grade_class
    from simtlab.executors.local import LocalExecutor
    from simtlab.executors.settings import ExecutorSettings
    from simtlab.executors.tasks import TaskExecutor
    from simtlab.store.results import ResultStore
    from tests.quick_units import CONDITIONS, QuickClass

    store = ResultStore(folder / "store")
    quick = QuickClass(folder / "checkout", 1, _LABS)
    plan = _many(quick.plan(store), _STUDENTS * _ATTEMPTS)
    growth = _Growth()
    if executor == "local":
        answer = _Answer()
        unit.grade_submission = lambda *words: answer.of(words[2])  # type: ignore[attr-defined]
        grade_class(plan, CONDITIONS, store, growth, workers=2, executor=LocalExecutor(CONDITIONS, store, 2))
    else:
        launcher = _Tasks(store, plan.to_grade)
        tasks = TaskExecutor(launcher, ExecutorSettings(kind="command"), quick.catalogue, CONDITIONS, store)
        grade_class(plan, CONDITIONS, store, growth, workers=2, executor=tasks, stop=threading.Event())
    print(growth.most - growth.first)
    print(growth.count)


def _many(plan: Plan, students: int) -> Plan:
    """The plan of one student's submissions, for so many students with files of their own."""
    from simtlab.class_run.plan import Plan, PlannedGrade
    from simtlab.intake.submission import Submission

    units = []
    for number in range(students):
        for one in plan.to_grade:
            files = {"kernel.cu": f"{number:064x}"}
            parts = one.parts.model_copy(update={"student": f"s{number:05}", "files": files})
            units.append(PlannedGrade(Submission(f"s{number:05}", one.lab.name, files), one.lab, parts))
    return Plan(plan.run, units, 0)


if __name__ == "__main__":
    use_this_grader()
    if sys.argv[1] == "--head":
        _head(sys.argv[2], Path(sys.argv[3]))
    else:
        main()

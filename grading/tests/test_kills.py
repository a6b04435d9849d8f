"""Graders, tasks and judges killed at any moment: the next run leaves what an undisturbed one leaves, nothing that was
reported is lost, and no temporary file stays. Slurm's daemons are killed in test_slurm.py."""

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from simtlab.class_run.grading import grade_class
from simtlab.class_run.plan import PlannedGrade
from simtlab.class_run.progress import Quiet
from simtlab.executors.choose import executor_of, sweep_orders
from simtlab.executors.order import OrderFolder
from simtlab.executors.settings import ExecutorSettings
from simtlab.executors.task import run_task
from simtlab.process.workplace import sweep_workplaces
from simtlab.store.claims import sweep_claims
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from tests.quick_units import CONDITIONS, QuickClass, counting, leftovers

_STUDENTS = 10
_BY_COMMAND = ExecutorSettings(kind="command", command=["env"], tasks=2, units_per_task=2, attempts=10_000)


class Reports(Quiet):
    """A listener that writes down every result that it is told of, so that it outlives its process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.touch()

    def finished(self, planned: PlannedGrade, result: Result) -> None:
        with self._path.open("a", encoding="ascii") as stream:
            stream.write(result.key + "\n")

    def keys(self) -> list[str]:
        """What was told, a line that a kill cut off left out."""
        return [
            line[:64] for line in self._path.read_text(encoding="ascii").splitlines(keepends=True) if len(line) == 65
        ]


def grade(
    quick: QuickClass, store: ResultStore, settings: ExecutorSettings | None = None, reports: Reports | None = None
) -> None:
    """What `simtlab grade` does."""
    store.sweep()
    sweep_orders(store)
    sweep_claims(store)
    sweep_workplaces()
    executor = executor_of(settings or ExecutorSettings(), quick.catalogue, CONDITIONS, store, 2)
    grade_class(quick.plan(store), CONDITIONS, store, reports or Quiet(), workers=2, executor=executor)


def started(work: Callable[[], object]) -> int:
    """A process that does the work; it ends with 1 where that raises."""
    process = os.fork()
    if process == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return process


def has_ended(process: int) -> bool:
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def killed_after(seconds: float, work: Callable[[], object]) -> bool:
    """Has a process do the work and kills it after so long; whether it was still at it."""
    process = started(work)
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL


def processes(*words: str) -> list[int]:
    """The processes that have all of these in their command line, but for the children of such."""
    found: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            if all(word in line for word in words):
                stat = (folder / "stat").read_text(encoding="utf-8", errors="replace")
                found[int(folder.name)] = int(stat.rpartition(")")[2].split()[1])
        except OSError:
            continue
    return [process for process, parent in found.items() if parent not in found]


def killed_while(process: int, draw: random.Random, most: int, pause: float, *words: str) -> int:
    """Kills what `processes` finds, one at a time, until the process has ended or so many are killed; returns how many
    were. The process has to end well."""
    kills = 0
    while kills < most and not has_ended(process):
        time.sleep(draw.uniform(0, pause))
        if victims := processes(*words):
            try:
                os.kill(draw.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                continue
            kills += 1
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    return kills


class Killing:
    """One store of one class, and ways to kill who grades into it. Each returns how many were killed."""

    def __init__(self, quick: QuickClass, folder: Path, draw: random.Random) -> None:
        self.quick, self.store, self.draw = quick, ResultStore(folder), draw
        self.reports = Reports(folder.with_suffix(".reports"))

    def grader(self, most: int) -> int:
        """The grading of this machine's pool; its compilers and judges die with it."""
        return killed_after(self.draw.uniform(0, 0.25), lambda: grade(self.quick, self.store, None, self.reports))

    def head(self, most: int) -> int:
        """The grading whose tasks are processes of their own."""
        return killed_after(self.draw.uniform(0, 2.5), lambda: grade(self.quick, self.store, _BY_COMMAND, self.reports))

    def task(self, most: int) -> int:
        """A task that nobody starts again."""
        order = OrderFolder.make(self.store, self.quick.catalogue, CONDITIONS, "")
        order.add_batch(0, self.quick.plan(self.store).to_grade)
        killed = killed_after(self.draw.uniform(0, 0.25), lambda: run_task(order.folder, 0))
        order.remove()
        return killed

    def worker(self, most: int) -> int:
        """Tasks of a grading that lives, and has others started."""
        process = started(lambda: grade(self.quick, self.store, _BY_COMMAND, self.reports))
        return killed_while(process, self.draw, most, 1.2, "simtlab.executors.task", str(self.store.folder))

    def judge(self, most: int) -> int:
        """Judges of a grading that lives."""
        process = started(lambda: grade(self.quick, self.store, None, self.reports))
        return killed_while(process, self.draw, most, 0.05, str(self.quick.checkout.build / "labs"), "judge-")


def kill_often(tmp_path: Path, temporary: Path, who: str, kills: int) -> None:
    draw = random.Random(7)
    quick = QuickClass(tmp_path / "checkout", _STUDENTS, seconds=0.02)
    undisturbed = ResultStore(tmp_path / "undisturbed")
    grade(quick, undisturbed)
    expected = counting(undisturbed)
    assert len(expected) == _STUDENTS
    done = rounds = 0
    while done < kills:
        rounds += 1
        killing = Killing(quick, tmp_path / f"store-{rounds}", draw)
        store = killing.store
        while done < kills and len(counting(store)) < _STUDENTS:
            before = set(store.keys())
            done += getattr(killing, who)(kills - done)
            assert before <= set(store.keys())
            assert set(killing.reports.keys()) <= set(store.keys())
        grade(quick, store)
        assert counting(store) == expected
        assert leftovers(store) == []
        assert list(temporary.glob("simtlab-*")) == []


@pytest.mark.parametrize("who", ["grader", "head", "task", "worker", "judge"])
def test_whoever_is_killed_each_unit_has_its_result_once(tmp_path: Path, temporary: Path, who: str) -> None:
    kill_often(tmp_path, temporary, who, 6)


@pytest.mark.long
@pytest.mark.parametrize("who", ["grader", "head", "task", "worker", "judge"])
def test_three_hundred_kills(tmp_path: Path, temporary: Path, who: str) -> None:
    kill_often(tmp_path, temporary, who, 60)

"""Graders and tasks killed at any moment: the next run leaves the store that an undisturbed one leaves."""

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from simtlab.class_run.grading import grade_class
from simtlab.class_run.progress import Quiet
from simtlab.executors.choose import sweep_orders
from simtlab.executors.order import OrderFolder
from simtlab.executors.task import run_task
from simtlab.process.workplace import sweep_workplaces
from simtlab.store.claims import sweep_claims
from simtlab.store.results import ResultStore
from tests.quick_units import CONDITIONS, QuickClass, content_of, leftovers

_STUDENTS = 10


def grade(quick: QuickClass, store: ResultStore) -> None:
    store.sweep()
    sweep_orders(store)
    sweep_claims(store)
    sweep_workplaces()
    grade_class(quick.plan(store), CONDITIONS, store, Quiet(), workers=2)


def killed_after(seconds: float, work: Callable[[], object]) -> bool:
    """Has a process do the work and kills it after so long; whether it was still at it."""
    process = os.fork()
    if process == 0:
        try:
            work()
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) != 0


def kill_often(tmp_path: Path, kills: int, *, tasks: bool) -> None:
    draw = random.Random(7)
    quick = QuickClass(tmp_path / "checkout", _STUDENTS, seconds=0.02)
    undisturbed = ResultStore(tmp_path / "undisturbed")
    grade(quick, undisturbed)
    expected = content_of(undisturbed)
    assert len(expected) == _STUDENTS
    done = rounds = 0
    while done < kills:
        rounds += 1
        store = ResultStore(tmp_path / f"store-{rounds}")
        units = quick.plan(store).to_grade
        order = OrderFolder.make(store, quick.catalogue, CONDITIONS, "")
        order.add_batch(0, units)
        while done < kills and len(list(store.keys())) < _STUDENTS:
            done += killed_after(
                draw.uniform(0.0, 0.25),
                (lambda: run_task(order.folder, 0)) if tasks else (lambda: grade(quick, store)),  # noqa: B023
            )
        order.remove()
        grade(quick, store)
        assert content_of(store) == expected
        assert leftovers(store) == []


@pytest.mark.parametrize("tasks", [False, True])
def test_whoever_is_killed_each_unit_has_its_result_once(tmp_path: Path, tasks: bool) -> None:
    kill_often(tmp_path, 15, tasks=tasks)


@pytest.mark.long
@pytest.mark.parametrize("tasks", [False, True])
def test_three_hundred_kills(tmp_path: Path, tasks: bool) -> None:
    kill_often(tmp_path, 150, tasks=tasks)

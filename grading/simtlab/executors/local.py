"""A pool of workers on this machine: the executor by default, which needs nothing else."""

import threading
from collections.abc import Sequence

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.plan import PlannedGrade
from simtlab.class_run.pool import PoolListener, run_pool
from simtlab.class_run.unit import UnitGrader
from simtlab.store.results import ResultStore


class LocalExecutor:
    """Threads of this process, each of which waits for compilers and judges."""

    def __init__(self, conditions: Conditions, store: ResultStore, workers: int) -> None:
        self._grader = UnitGrader(conditions, store)
        self._workers = workers

    def run(self, units: Sequence[PlannedGrade], listener: PoolListener, stop: threading.Event) -> int:
        """Grades them in the order given."""
        self._grader.expect(units)
        return run_pool(units, self._grader.grade, listener, workers=self._workers, stop=stop)

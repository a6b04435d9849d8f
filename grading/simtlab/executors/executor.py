"""What every executor is to a grading."""

import threading
from collections.abc import Sequence
from typing import Protocol

from simtlab.class_run.plan import PlannedGrade
from simtlab.class_run.pool import PoolListener


class Executor(Protocol):
    """Has units graded somewhere, each by `UnitGrader`, into one store."""

    def run(self, units: Sequence[PlannedGrade], listener: PoolListener, stop: threading.Event) -> int:
        """Returns how many of the units have a result when it ends, fewer than all only when `stop` was set. The
        listener is told in this thread; a unit's result is in the store before. Raises `GraderError` where the rest
        cannot be graded; what was graded stays."""

"""Tells the store how far a grading is, a few times a minute."""

import os
import time
from datetime import UTC, datetime

from simtlab.class_run.plan import Plan, PlannedGrade
from simtlab.class_run.pool import seconds_left
from simtlab.store.progress import RunningSubmission, RunProgress, end_progress, write_progress
from simtlab.store.result import Result
from simtlab.store.results import ResultStore, this_host

_SECONDS_BETWEEN = 2.0


class ProgressFile:
    """Listens to a pool and keeps the store's file of the run; `close` removes it."""

    def __init__(self, plan: Plan, store: ResultStore, workers: int) -> None:
        self._started_at, self._total, self._store, self._workers = (
            plan.run.started_at, len(plan.to_grade), store, workers,
        )  # fmt: skip
        self._running: dict[str, RunningSubmission] = {}
        self._done, self._done_seconds = 0, 0.0
        self._written = 0.0

    def started(self, planned: PlannedGrade) -> None:
        """A worker took up a submission."""
        one = planned.submission
        self._running[planned.parts.key] = RunningSubmission(student=one.student, lab=one.lab, since=datetime.now(UTC))
        self.tick()

    def finished(self, planned: PlannedGrade, result: Result) -> None:
        """A result is in the store."""
        self._running.pop(planned.parts.key, None)
        self._done += 1
        self._done_seconds += result.seconds
        self.tick()

    def tick(self) -> None:
        """Writes where the last time is long enough ago."""
        now = time.monotonic()
        if self._written and now - self._written < _SECONDS_BETWEEN:
            return
        self._written = now
        done = self._done
        progress = RunProgress(
            started_at=self._started_at,
            written_at=datetime.now(UTC),
            total=self._total,
            done=done,
            running=list(self._running.values()),
            seconds_left=seconds_left(self._done_seconds, done, self._total - done, self._workers),
            host=this_host(),
            process=os.getpid(),
        )
        write_progress(self._store, progress)

    def close(self) -> None:
        """The grading has ended, or was stopped."""
        end_progress(self._store, self._started_at)

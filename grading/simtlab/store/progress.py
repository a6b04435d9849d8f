"""How far a running grading is: one small file in the store, for `simtlab status` and the class page of a report that
is written meanwhile. It is a view of the grading and nothing depends on it: lost or late, it costs no result."""

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from simtlab.process.running import is_running
from simtlab.record import Record
from simtlab.store.results import ResultStore, temporary_name, this_host
from simtlab.text import counted, printable

_SILENT_TOO_LONG = timedelta(minutes=2)
"""A grading writes every few seconds; one that has not for this long was killed."""
_MOST_NAMED = 8


class RunningSubmission(Record):
    """A submission that a worker has taken up."""

    student: str
    lab: str
    since: datetime


class RunProgress(Record):
    """What a grading said of itself last."""

    format: Literal["simtlab-progress"] = "simtlab-progress"
    version: Literal[1] = 1
    started_at: datetime
    """Of the run, by which it is known."""
    written_at: datetime
    total: int
    done: int
    running: list[RunningSubmission]
    seconds_left: float | None = None
    host: str = ""
    process: int = 0
    """Which process of which machine grades; 0 where it does not say."""

    @property
    def waiting(self) -> int:
        """How many no worker has taken up yet."""
        return max(self.total - self.done - len(self.running), 0)

    @property
    def sentences(self) -> list[str]:
        """What a person reads: how far, what runs and for how long, what waits, and an estimate."""
        about = "" if self.seconds_left is None else f", about {duration(self.seconds_left)} left"
        lines = [f"{self.done} of {self.total} graded now, {counted(self.waiting, 'waits', 'wait')}{about}"]
        for one in self.running[:_MOST_NAMED]:
            seconds = (self.written_at - one.since).total_seconds()
            lines.append(f"running: {printable(one.student)} {one.lab}, {duration(seconds)}")
        if len(self.running) > _MOST_NAMED:
            lines.append(f"and {len(self.running) - _MOST_NAMED} more")
        return lines


def duration(seconds: float) -> str:
    """`12 s`, `3 min`, `2.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def write_progress(store: ResultStore, progress: RunProgress) -> None:
    """Replaces what was said before; a store that takes nothing more has other ways to say so."""
    path = _path(store, progress.started_at)
    temporary = temporary_name(path)
    try:
        temporary.write_text(progress.model_dump_json(indent=1) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def end_progress(store: ResultStore, started_at: datetime) -> None:
    """Removes what the run said, and what gradings said that were killed; another run's stays."""
    for path in store.folder.glob("progress-*.json"):
        found = _read(path)
        if found is None or found.started_at == started_at or _is_silent(found):
            path.unlink(missing_ok=True)


def read_progress(store: ResultStore, started_at: datetime) -> RunProgress | None:
    """What the run that began then says; None when it has ended, or fell silent."""
    found = _read(_path(store, started_at))
    return None if found is None or found.started_at != started_at or _is_silent(found) else found


def _is_silent(found: RunProgress) -> bool:
    if found.process and found.host == this_host() and not is_running(found.process):
        return True
    return datetime.now(UTC) - found.written_at > _SILENT_TOO_LONG


def _read(path: Path) -> RunProgress | None:
    try:
        return RunProgress.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _path(store: ResultStore, started_at: datetime) -> Path:
    """A file for each grading: two may share a store."""
    return store.folder / f"progress-{started_at.astimezone(UTC):%Y%m%dT%H%M%S.%f}.json"

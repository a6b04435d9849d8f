"""The journal of grades held back and released: whose of which lab, from when or until when, by whom and why.

    holds/TIME-PROCESS.json    one step; never changed, never removed

Nothing happens when a time comes: whoever shows grades to students works out from the journal what they may see now.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import Field

from simtlab.record import Record
from simtlab.store.dated import add_record, read_record
from simtlab.store.results import ResultStore
from simtlab.text import moment_text

_FOLDER = "holds"
_LATEST = datetime.max.replace(tzinfo=UTC)


class HoldStep(Record):
    """Somebody held the grades of a lab back, or released them."""

    format: Literal["simtlab-hold"] = "simtlab-hold"
    version: Literal[1] = 1
    lab: str
    section: str = ""
    """Of course.toml; empty: everybody."""
    released: bool
    when: datetime | None = None
    """Until when they are held, or from when they are released; None: for good, or at once."""
    by: str = Field(min_length=1)
    reason: str = Field(min_length=1)
    at: datetime


@dataclass(frozen=True)
class Held:
    """Why a student does not see a grade now."""

    since: datetime
    until: datetime | None
    by: str
    reason: str

    @property
    def student_words(self) -> str:
        """What the student reads."""
        return "held back" + (f" until {moment_text(self.until)}" if self.until else "")

    @property
    def sentence(self) -> str:
        """What the instructor reads."""
        until = f" until {moment_text(self.until)}" if self.until else ""
        return f"held{until}, since {moment_text(self.since)} by {self.by}: {self.reason}"


def add_hold(store: ResultStore, step: HoldStep) -> None:
    """Adds a step. Raises `GraderError` where it cannot be written."""
    add_record(store, _FOLDER, step, step.at)


def read_hold(path: Path) -> HoldStep:
    """One step. Raises `GraderError` where it cannot be read."""
    return read_record(path, HoldStep, "restore it from a backup, or move it away and hold or release again")


def holds(store: ResultStore) -> list[HoldStep]:
    """The journal, the oldest first. A damaged step is an error: who sees what depends on it."""
    return [read_hold(path) for path in sorted((store.folder / _FOLDER).glob("*.json"))]


class Journal:
    """What the steps come to at a moment."""

    def __init__(self, steps: Sequence[HoldStep], now: datetime) -> None:
        self._steps, self._now = steps, now

    def held(self, lab: str, sections: Collection[str] = ()) -> Held | None:
        """Whether a grade of somebody in these sections is held now. The newest step about them decides: a hold holds
        until its time or a release; a release of what is held sets the time at which that ends."""
        return self._walked(lab, sections)[0]

    def ever_released(self, lab: str, sections: Collection[str] = ()) -> bool:
        """Whether a release, or the end of a hold, has let them see it since."""
        return self._walked(lab, sections)[1]

    def _walked(self, lab: str, sections: Collection[str]) -> tuple[Held | None, bool]:
        steps = [one for one in self._steps if one.lab == lab and one.section in ("", *sections)]
        held: Held | None = None
        released = False
        for step, following in zip(steps, [*(one.at for one in steps[1:]), _LATEST], strict=False):
            end = min(following, self._now)
            if not step.released:
                held = Held(step.at, step.when, step.by, step.reason)
            elif step.when is None:
                held, released = None, True
            elif held is not None:
                held = Held(held.since, step.when, held.by, held.reason)
            elif step.when <= end:
                released = True
            if held is not None and held.until is not None and held.until <= end:
                held, released = None, True
        return held, released

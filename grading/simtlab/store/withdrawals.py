"""The journal of withdrawn results: who took a result's points away, why, and who gave them back.

A result itself never changes. Each entry is a file of its own that is added and never removed, so that a withdrawal can
be taken back and both stay on record; the newest entry of a key decides. Only a person writes them.
"""

from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import Field

from simtlab.record import Record
from simtlab.store.dated import add_record, read_record
from simtlab.store.results import ResultStore

_FOLDER = "withdrawals"


class Withdrawal(Record):
    """One entry of the journal."""

    format: Literal["simtlab-withdrawal"] = "simtlab-withdrawal"
    version: Literal[1] = 1
    key: str
    student: str
    lab: str
    withdrawn: bool
    """False where an earlier withdrawal is taken back."""
    by: str = Field(min_length=1)
    reason: str = Field(min_length=1)
    at: datetime

    @property
    def sentence(self) -> str:
        """What stands beside the points."""
        what = "withdrawn" if self.withdrawn else "given back"
        return f"{what} by {self.by} on {self.at:%Y-%m-%d}: {self.reason}"


def add_withdrawal(store: ResultStore, entry: Withdrawal) -> None:
    """Adds an entry. Raises `GraderError` where it cannot be written."""
    add_record(store, _FOLDER, entry, entry.at)


def journal(store: ResultStore) -> list[Withdrawal]:
    """Every entry, oldest first. A damaged one is an error: grades depend on it."""
    return [read_withdrawal(path) for path in sorted((store.folder / _FOLDER).glob("*.json"))]


def read_withdrawal(path: Path) -> Withdrawal:
    """One entry of the journal. Raises `GraderError` where it cannot be read."""
    return read_record(path, Withdrawal, "restore it, or move it away and withdraw again")


def withdrawn_results(store: ResultStore) -> dict[str, Withdrawal]:
    """The newest entry of each key whose result counts for nothing now."""
    newest = {entry.key: entry for entry in journal(store)}
    return {key: entry for key, entry in newest.items() if entry.withdrawn}

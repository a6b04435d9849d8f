"""Regrades as proposals: what was graded once more, and whether somebody has let it count.

    proposals/TIME-PROCESS.json    the new results of a part of a class, and why they were made
    decisions/TIME-PROCESS.json    who applied or reverted a proposal, and what its entries replaced

Both folders only grow. A proposal counts while the newest decision about it says so.
"""

from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import Field

from simtlab.errors import UsageError
from simtlab.record import Record
from simtlab.store.class_run import RunEntry
from simtlab.store.dated import add_record, read_record
from simtlab.store.results import ResultStore

_PROPOSALS = "proposals"
_DECISIONS = "decisions"
_RESTORE = "restore it from a backup, or move it away"


class Proposal(Record):
    """New results for some of a class's submissions."""

    format: Literal["simtlab-proposal"] = "simtlab-proposal"
    version: Literal[1] = 1
    class_name: str
    reason: str = Field(min_length=1)
    at: datetime
    entries: list[RunEntry]


class Decision(Record):
    """Somebody let a proposal count, or took it back."""

    format: Literal["simtlab-decision"] = "simtlab-decision"
    version: Literal[1] = 1
    proposal: str
    """Its file's name without the ending."""
    applied: bool
    by: str = Field(min_length=1)
    at: datetime
    replaced: list[RunEntry]
    """What counted before, of the same submissions."""


def add_proposal(store: ResultStore, proposal: Proposal) -> str:
    """Adds it; returns the name that people call it by."""
    return add_record(store, _PROPOSALS, proposal, proposal.at).stem


def add_decision(store: ResultStore, decision: Decision) -> None:
    """Adds it to the journal."""
    add_record(store, _DECISIONS, decision, decision.at)


def proposals(store: ResultStore) -> dict[str, Proposal]:
    """All by name, the oldest first."""
    return {path.stem: read_proposal(path) for path in sorted((store.folder / _PROPOSALS).glob("*.json"))}


def decisions(store: ResultStore) -> list[Decision]:
    """The journal, the oldest first."""
    return [read_decision(path) for path in sorted((store.folder / _DECISIONS).glob("*.json"))]


def read_proposal(path: Path) -> Proposal:
    """One proposal. Raises `GraderError` where it cannot be read."""
    return read_record(path, Proposal, _RESTORE)


def read_decision(path: Path) -> Decision:
    """One decision. Raises `GraderError` where it cannot be read."""
    return read_record(path, Decision, _RESTORE)


def chosen_proposal(store: ResultStore, word: str) -> tuple[str, Proposal]:
    """The proposal that a person named; `latest` is the newest."""
    known = proposals(store)
    if not known:
        raise UsageError(
            f"the store {store.folder} has no proposal: `simtlab regrade --what LAB --reason WHY` makes one"
        )
    name = next(reversed(known)) if word == "latest" else word
    if name not in known:
        raise UsageError(f"there is no proposal {word}: expected latest, or one of {', '.join(known)}")
    return name, known[name]


def newest_decisions(store: ResultStore) -> dict[str, Decision]:
    """By proposal, the one that holds."""
    return {one.proposal: one for one in decisions(store)}


def held_keys(store: ResultStore) -> set[str]:
    """Results that were made for a proposal which does not count: an ordinary grading passes over them."""
    newest = newest_decisions(store)
    found: set[str] = set()
    counting: set[str] = set()
    for name, proposal in proposals(store).items():
        keys = {entry.key for entry in proposal.entries if entry.key}
        applied = name in newest and newest[name].applied
        (counting if applied else found).update(keys)
    return found - counting

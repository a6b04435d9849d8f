"""What canaries said before and after each chunk of a grading on GPUs: evidence beside the results.

canaries/TIME-PROCESS.json    a chunk: the GPU, how its kernels' times changed, and which results came of it
"""

from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import Literal

from simtlab.record import Record
from simtlab.store.dated import add_record, read_record
from simtlab.store.results import ResultStore
from simtlab.text import counted, printable

_FOLDER = "canaries"


class KernelTimes(Record):
    """One kernel of the canary: medians, and the ratio of the later times to the earlier with its interval."""

    before: float
    after: float
    ratio: float
    low: float
    high: float


class ChunkCanary(Record):
    """One chunk on one GPU."""

    format: Literal["simtlab-chunk-canary"] = "simtlab-chunk-canary"
    version: Literal[1] = 1
    node: str
    device_class: str
    device: str
    """The GPU's UUID."""
    kernels: dict[str, KernelTimes]
    drift: str
    """What drifted, in words; empty where the GPU held still."""
    keys: list[str]
    """The results that were timed in between: in the store where it held still, else thrown away."""
    at: datetime


def add_canary(store: ResultStore, record: ChunkCanary) -> None:
    """Adds it. Raises `GraderError` where it cannot be written."""
    add_record(store, _FOLDER, record, record.at)


def read_canary(path: Path) -> ChunkCanary:
    """One record. Raises `GraderError` where it cannot be read."""
    return read_record(path, ChunkCanary, "restore it from a backup, or move it away: no grade depends on it")


def canaries(store: ResultStore) -> list[ChunkCanary]:
    """All of them, the oldest first."""
    return [read_canary(path) for path in sorted((store.folder / _FOLDER).glob("*.json"))]


def drift_notes(store: ResultStore, keys: Collection[str]) -> list[str]:
    """A sentence for each chunk of these results that was graded again because its GPU drifted."""
    wanted = set(keys)
    notes = []
    for one in canaries(store):
        again = wanted.intersection(one.keys)
        if one.drift and again:
            notes.append(
                f"the GPU of {printable(one.node)} drifted ({one.drift}): "
                f"{counted(len(again), 'submission')} timed on it meanwhile counted for nothing and went "
                "to another node"
            )
    return notes

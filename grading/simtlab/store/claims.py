"""What is being graded now, where, since when: a file a submission in running/, for as long as it takes.

A claim keeps two graders, or a task and the one that Slurm started in its place, from doing the same work. It is a
courtesy and no lock: no result depends on one. Whoever finds a claim whose holder is gone takes it over, and when two
do so at once, both grade, and the store keeps the first result.
"""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from simtlab.process.running import is_running
from simtlab.record import Record
from simtlab.store.results import ResultStore, this_host

_FOLDER = "running"
_RENEW_SECONDS = 15.0
_GONE_AFTER_SECONDS = 120.0
"""A claim of another machine that was not renewed for so long; its clock may be off by a part of that."""


class Claim(Record):
    """Who grades a submission."""

    key: str
    student: str
    lab: str
    host: str
    """The machine as the store names it."""
    process: int
    since: datetime
    where: str = ""
    """For people: the node's name and the task."""


class Claims:
    """The claims of one process; a thread renews those that it holds. `where` is what people read."""

    def __init__(self, store: ResultStore, where: str = "") -> None:
        self._folder = store.folder / _FOLDER
        self._where = where
        self._held: set[Path] = set()
        self._lock = threading.Lock()
        self._renewing: threading.Thread | None = None

    @contextlib.contextmanager
    def of(self, key: str, student: str, lab: str) -> Iterator[bool]:
        """Whether the submission is ours to grade now; False while somebody else grades it. Where no claim can be
        written (a full disk), it is ours: what cannot be kept is told of with the result."""
        claim = Claim(
            key=key,
            student=student,
            lab=lab,
            host=this_host(),
            process=os.getpid(),
            since=datetime.now(UTC),
            where=self._where,
        )
        path = self._folder / f"{key}.json"
        ours = self._take(path, claim)
        try:
            yield ours
        finally:
            if ours:
                with self._lock:
                    self._held.discard(path)
                if _is_of(path, os.getpid()):
                    with contextlib.suppress(OSError):
                        path.unlink()

    def _take(self, path: Path, claim: Claim) -> bool:
        for _ in range(3):
            try:
                self._folder.mkdir(exist_ok=True)
                with path.open("x", encoding="utf-8") as stream:
                    stream.write(claim.model_dump_json() + "\n")
            except FileExistsError:
                if _is_held(path):
                    return False
                with contextlib.suppress(OSError):
                    path.unlink()
                continue
            except OSError:
                return True
            with self._lock:
                self._held.add(path)
                if self._renewing is None:
                    self._renewing = threading.Thread(target=self._renew, name="claims", daemon=True)
                    self._renewing.start()
            return True
        return True

    def _renew(self) -> None:
        while True:
            time.sleep(_RENEW_SECONDS)
            with self._lock:
                held = list(self._held)
            for path in held:
                with contextlib.suppress(OSError):
                    os.utime(path)


def running_now(store: ResultStore) -> list[Claim]:
    """Every claim whose holder lives, the oldest first."""
    found = []
    for path in (store.folder / _FOLDER).glob("*.json"):
        claim = _read(path)
        if claim and _is_held(path):
            found.append(claim)
    return sorted(found, key=lambda claim: (claim.since, claim.key))


def sweep_claims(store: ResultStore) -> int:
    """Removes the claims of those who are gone; returns how many."""
    swept = 0
    for path in (store.folder / _FOLDER).glob("*.json"):
        if not _is_held(path):
            with contextlib.suppress(OSError):
                path.unlink()
                swept += 1
    return swept


def _is_held(path: Path) -> bool:
    """Whether the holder of a claim lives: its process on this machine, its renewals on another. One that is just being
    written is held, too."""
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:
        return False
    claim = _read(path)
    if claim is None:
        return age < _RENEW_SECONDS
    if claim.host != this_host():
        return age < _GONE_AFTER_SECONDS
    return is_running(claim.process)


def _is_of(path: Path, process: int) -> bool:
    claim = _read(path)
    return claim is None or (claim.host == this_host() and claim.process == process)


def _read(path: Path) -> Claim | None:
    try:
        return Claim.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None

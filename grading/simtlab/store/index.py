"""An index over the results in SQLite: who has been graded in what, and how it ended. The files are the truth."""

import contextlib
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ValidationError

from simtlab.store.key import KeyParts
from simtlab.store.result import Result
from simtlab.store.results import GROUPS, ResultStore
from simtlab.verdict import Verdict

_LAYOUT = 1
_ROWS_AT_A_TIME = 2000
_CREATE = """
CREATE TABLE results (
  key TEXT PRIMARY KEY, student TEXT NOT NULL, lab TEXT NOT NULL, backend TEXT NOT NULL, attempt INTEGER NOT NULL,
  verdict TEXT NOT NULL, graded_at TEXT NOT NULL, seconds REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX by_submission ON results (student, lab);
"""


Row = tuple[object, ...]


class _Head(BaseModel):
    """The members of a result that the index has; the facts, which are nearly all of the file, are skipped."""

    key: str
    parts: KeyParts
    verdict: Verdict
    graded_at: datetime
    seconds: float


class ResultIndex:
    """Kept by gradings; deleting the file costs nothing but the time to read the results again, and
    a full disk no more than that."""

    def __init__(self, store: ResultStore) -> None:
        self._store = store
        self._path = store.folder / "index.sqlite"
        self._in_memory = False
        self._connection = self._opened()
        self.refresh()

    def refresh(self) -> int:
        """Adds the results that are in the store and not here; returns how many. Forgets those that are gone."""
        count = 0
        rows: list[Row] = []
        for group in GROUPS:  # never all keys at a time
            known = self._keys_of_group(group)
            stored = self._store.keys_of_group(group)
            self._change("DELETE FROM results WHERE key = ?", [(key,) for key in known - stored])
            count += len(known & stored)
            rows += filter(None, map(self._row_of, stored - known))
            if len(rows) >= _ROWS_AT_A_TIME:
                self._insert(rows)
                rows = []
        self._insert(rows)
        return self.count() - count

    def _keys_of_group(self, group: str) -> set[str]:
        found = self._connection.execute("SELECT key FROM results WHERE key BETWEEN ? AND ?", (group, group + "g"))
        return {key for (key,) in found}

    def _row_of(self, key: str) -> Row | None:
        """The row of a stored result, from the few members that it needs; None for a file that whoever needs the
        result tells of, because it is damaged or gone."""
        try:
            head = _Head.model_validate_json(self._store.result_path(key).read_bytes())
        except (OSError, ValidationError):
            return None
        return _row(head) if key == head.key == head.parts.key else None

    def _insert(self, rows: list[Row]) -> None:
        self._change("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def add(self, result: Result) -> None:
        """Enters one result; again is the same as once."""
        self._insert([_row(result)])

    def keys_of(self, student: str, lab: str) -> list[str]:
        """All results of one submission, oldest first."""
        rows = self._connection.execute(
            "SELECT key FROM results WHERE student = ? AND lab = ? ORDER BY graded_at, key", (student, lab)
        )
        return [key for (key,) in rows]

    def graded_since(self, student: str, lab: str, moment: datetime) -> list[datetime]:
        """When the submission's gradings after a moment were."""
        rows = self._connection.execute(
            "SELECT graded_at FROM results WHERE student = ? AND lab = ? ORDER BY graded_at", (student, lab)
        )
        times = [datetime.fromisoformat(text) for (text,) in rows]
        return [one for one in times if one > moment]

    def count(self) -> int:
        """How many results there are."""
        (count,) = self._connection.execute("SELECT count(*) FROM results").fetchone()
        return int(count)

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def _change(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Changes the index; where its file takes nothing more, the index goes on in memory."""
        if not rows:
            return
        try:
            with self._connection:
                self._connection.executemany(statement, rows)
        except sqlite3.Error:
            if self._in_memory:
                raise
            self._connection.close()
            self._connection = self._opened_in_memory()
            self.refresh()
            with self._connection:
                self._connection.executemany(statement, rows)

    def _opened(self) -> sqlite3.Connection:
        """The file; a new one where it is damaged, and memory where none can be written: an index costs no result."""
        for _ in range(2):
            try:
                return self._open()
            except sqlite3.Error:
                with contextlib.suppress(OSError):
                    self._path.unlink(missing_ok=True)
        return self._opened_in_memory()

    def _opened_in_memory(self) -> sqlite3.Connection:
        self._in_memory = True
        connection = sqlite3.connect(":memory:")
        connection.executescript(_CREATE)
        return connection

    def _open(self) -> sqlite3.Connection:
        connection = _connect(self._path)
        (layout,) = connection.execute("PRAGMA user_version").fetchone()
        if layout not in (0, _LAYOUT):
            connection.close()
            self._path.unlink()
            connection = _connect(self._path)
            layout = 0
        if layout == 0:
            connection.executescript(f"BEGIN;{_CREATE}PRAGMA user_version = {_LAYOUT};COMMIT;")
        connection.execute("SELECT key, seconds FROM results LIMIT 1")
        return connection


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30)
    connection.execute("PRAGMA synchronous = OFF")  # after a power cut it is made again from the files
    return connection


def _row(result: Result | _Head) -> Row:
    return (
        result.key,
        result.parts.student,
        result.parts.lab,
        result.parts.backend,
        result.parts.attempt,
        result.verdict.value,
        result.graded_at.isoformat(),
        result.seconds,
    )

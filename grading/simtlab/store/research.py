"""What a term's results say in numbers, for research: no name, no text that a student wrote, no time of day.

A student's id is an HMAC under a salt: without the salt nobody finds the student from the id, and two exports with the
same salt have the same ids.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from simtlab.errors import GraderError
from simtlab.facts.model import Facts
from simtlab.store.result import Result
from simtlab.store.results import ResultStore

SALT_BYTES = 32


def salt_of(path: Path) -> bytes:
    """The salt in a file; a new one is drawn where there is no such file, readable by its owner alone."""
    if not path.exists():
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(secrets.token_hex(SALT_BYTES) + "\n", encoding="ascii")
    try:
        salt = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except ValueError:
        salt = b""
    if len(salt) != SALT_BYTES:
        raise GraderError(f"{path} is no salt: expected {2 * SALT_BYTES} hexadecimal digits; name another file")
    return salt


def export_research(store: ResultStore, salt: bytes, stream: TextIO) -> int:
    """A JSON object a line, one for each result, in the order of the ids; returns how many."""
    lines = sorted(json.dumps(row, sort_keys=True) for row in _rows(store, salt))
    stream.writelines(f"{line}\n" for line in lines)
    return len(lines)


def _rows(store: ResultStore, salt: bytes) -> Iterator[dict[str, Any]]:
    found = map(store.get, store.keys())
    return (_row(result, salt) for result in found if result is not None)


def _row(result: Result, salt: bytes) -> dict[str, Any]:
    student = hmac.new(salt, result.parts.student.encode(), hashlib.sha256).hexdigest()[:16]
    row = {
        "student": student,
        "lab": result.parts.lab,
        "backend": result.parts.backend,
        "attempt": result.parts.attempt,
        "verdict": result.verdict.value,
        "day": result.graded_at.date().isoformat(),
    }
    return row | (_numbers(result.facts) if result.facts else {})


def _numbers(facts: Facts) -> dict[str, Any]:
    return {
        "cases_passed": facts.correct.passed,
        "cases": facts.correct.total,
        "findings": sorted({finding.rule for finding in facts.safe.findings}),
        "score": facts.fast.score,
        "criteria": [
            {"metric": one.metric, "argument": one.argument, "value": one.value, "fraction": one.fraction}
            for one in facts.fast.criteria
        ],
    }

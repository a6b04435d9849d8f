"""Submissions whose files are equal, byte for byte, are judged once: the second student gets the first one's facts.

Two equal kernels then have equal grades, times on a GPU included, and a class with forty untouched stubs costs one.
"""

import contextlib
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from simtlab.class_run.plan import PlannedGrade
from simtlab.errors import GraderError
from simtlab.store.key import KeyParts
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict


def first_ones_first(to_grade: Sequence[PlannedGrade]) -> list[PlannedGrade]:
    """Of each set of equals one, in the order given, then the others: when they come, its facts are there."""
    firsts: dict[str, PlannedGrade] = {}
    others = [one for one in to_grade if firsts.setdefault(submission_alone(one.parts), one) is not one]
    return [*firsts.values(), *others]


class EqualSubmissions:
    """The results of one grading, to be found by what was handed in. The store has them: here are the keys of those
    alone that another of the `expected` units is equal to, so that a large class takes no memory."""

    def __init__(self, store: ResultStore, expected: Sequence[PlannedGrade]) -> None:
        self._store = store
        counts = Counter(submission_alone(one.parts) for one in expected)
        self._keys: dict[str, str] = {alone: "" for alone, count in counts.items() if count > 1}

    def is_awaited(self, planned: PlannedGrade) -> bool:
        """Whether another unit is equal to it and has no result yet."""
        return bool(self._keys) and self._keys.get(submission_alone(planned.parts)) == ""

    def keep(self, result: Result) -> None:
        """Remembers a stored result, unless it was our fault: an equal submission then gets a try of its own."""
        if self._keys and result.verdict is not Verdict.INTERNAL_ERROR:
            alone = submission_alone(result.parts)
            if self._keys.get(alone) == "":
                self._keys[alone] = result.key

    def result_for(self, planned: PlannedGrade) -> Result | None:
        """The result of an equal submission as this student's own; None when there is none yet."""
        key = self._keys.get(submission_alone(planned.parts)) if self._keys else ""
        equal: Result | None = None
        with contextlib.suppress(GraderError):  # damaged meanwhile: the unit is judged by itself
            equal = self._store.get(key) if key else None
        if equal is None:
            return None
        facts = equal.facts and equal.facts.model_copy(update={"submission": planned.submission.label})
        changed = {
            "key": planned.parts.key,
            "parts": planned.parts,
            "facts": facts,
            "graded_at": datetime.now(UTC),
            "seconds": 0.0,
        }
        return equal.model_copy(update=changed)


def submission_alone(parts: KeyParts) -> str:
    """The key without its student: equal for equal files."""
    return parts.model_copy(update={"student": ""}).key

"""Submissions whose files are equal, byte for byte, are judged once: the second student gets the first one's facts.

Two equal kernels then have equal grades, times on a GPU included, and a class with forty untouched stubs costs one.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from simtlab.class_run.plan import PlannedGrade
from simtlab.store.key import KeyParts
from simtlab.store.result import Result
from simtlab.verdict import Verdict


def first_ones_first(to_grade: Sequence[PlannedGrade]) -> list[PlannedGrade]:
    """Of each set of equals one, in the order given, then the others: when they come, its facts are there."""
    firsts: dict[str, PlannedGrade] = {}
    others = [one for one in to_grade if firsts.setdefault(submission_alone(one.parts), one) is not one]
    return [*firsts.values(), *others]


class EqualSubmissions:
    """The results of one grading, to be found by what was handed in."""

    def __init__(self) -> None:
        self._results: dict[str, Result] = {}

    def keep(self, result: Result) -> None:
        """Remembers a result, unless it was our fault: an equal submission then gets a try of its own."""
        if result.verdict is not Verdict.INTERNAL_ERROR:
            self._results.setdefault(submission_alone(result.parts), result)

    def result_for(self, planned: PlannedGrade) -> Result | None:
        """The result of an equal submission as this student's own; None when there is none yet."""
        equal = self._results.get(submission_alone(planned.parts))
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

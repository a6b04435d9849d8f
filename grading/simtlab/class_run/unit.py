"""One unit of a grading: a student's submission of one lab on one backend, from its claim to its stored result. Every
executor grades its units by this."""

import threading
from collections.abc import Sequence
from contextlib import ExitStack, nullcontext

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.equal_submissions import EqualSubmissions
from simtlab.class_run.plan import PlannedGrade
from simtlab.class_run.worker import grade_submission
from simtlab.store.claims import Claims
from simtlab.store.result import Result
from simtlab.store.results import ResultStore


class UnitGrader:
    """Grades units of one process, several at a time where asked by several threads."""

    def __init__(
        self, conditions: Conditions, store: ResultStore, where: str = "", claimed: ExitStack | None = None
    ) -> None:
        """`claimed` keeps the claims until it is closed, for results that are not final before."""
        self._conditions = conditions
        self._claimed = claimed
        self._store = store
        self._claims = Claims(store, where)
        self._equal = EqualSubmissions(store, ())

    def grade(self, planned: PlannedGrade, stop: threading.Event | None = None) -> Result | None:
        """The unit's result, which is in the store when this returns: somebody else's where one is there already. None
        while somebody else is at it. Raises `GradingStopped`, and `GraderError` where nothing can be stored."""
        if result := self._stored(planned):
            return result
        claim = self._claims.of(planned.parts.key, planned.submission.student, planned.submission.lab)
        with nullcontext(self._claimed) if self._claimed else ExitStack() as claimed:
            if not claimed.enter_context(claim):
                return None
            if result := self._stored(planned):  # stored between the look above and the claim
                return result
            result = self._equal.result_for(planned) or grade_submission(
                planned.submission, planned.lab, planned.parts, self._conditions, self._store, stop
            )
            if not self._store.add(result):
                result = self._store.get(planned.parts.key) or result
            self._equal.keep(result)
        return result

    def expect(self, units: Sequence[PlannedGrade]) -> None:
        """Tells what will be asked for: equal submissions among these are judged once. Stored results count."""
        self._equal = EqualSubmissions(self._store, units)
        for planned in units:
            if self._equal.is_awaited(planned):
                self._stored(planned)

    def _stored(self, planned: PlannedGrade) -> Result | None:
        if not self._store.has(planned.parts.key):
            return None
        result = self._store.get(planned.parts.key)
        if result is not None:
            self._equal.keep(result)
        return result

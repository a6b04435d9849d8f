"""The points of one submission, each part with the reason it was earned or not.

`correct` earns by the fraction of cases that passed. `safe` and `fast` are earned only when `correct` passes, `fast`
in proportion to its score; where `safe` fails for leaks alone, it keeps `KEPT_DESPITE_LEAKS` of its points. `predict`
earns by the fraction of right answers, whatever the code does. A part that the backend cannot measure gives its points
to the others. Our own fault never lowers a grade: the grade waits.
"""

from enum import StrEnum

from simtlab.facts.model import Facts, Status
from simtlab.labs.specification import PointsTable
from simtlab.predict.model import ANSWERS_FILE, Predictions
from simtlab.record import Record
from simtlab.text import counted, points_text
from simtlab.verdict import Verdict


class PartName(StrEnum):
    """The parts of a lab, as the students' tests are called; `predict` only where the lab has questions."""

    CORRECT = "correct"
    SAFE = "safe"
    FAST = "fast"
    PREDICT = "predict"


KEPT_DESPITE_LEAKS = 2 / 3
"""Of the points of `safe`: memory that is not given back spoils no answer and endangers nobody."""
_LEAK_RULE = "leak"

_JUDGED = (PartName.CORRECT, PartName.SAFE, PartName.FAST)


class Part(Record):
    """One part's points; `earned` is None while the grade waits."""

    name: PartName
    status: Status
    earned: float | None
    possible: float
    reason: str


class AdjustmentKind(StrEnum):
    """What of the course's policy an adjustment comes from."""

    LATE = "late"
    EXTENSION = "extension"
    OVERRIDE = "override"


class Adjustment(Record):
    """What the course's policy adds to the parts, usually a loss, with its reason; an extension adds nothing, and is
    told."""

    kind: AdjustmentKind
    reason: str
    points: float
    days: float = 0
    """How late, or how much longer there was time."""

    @property
    def mark(self) -> str:
        """The few letters beside the points in the class's table."""
        if self.kind is AdjustmentKind.OVERRIDE:
            return "set"
        sign, days = "+" if self.kind is AdjustmentKind.EXTENSION else "", f"{self.days:.2f}".rstrip("0").rstrip(".")
        return f"{sign}{days} d" + (" late" if self.kind is AdjustmentKind.LATE else "")


class Grade(Record):
    """A submission's points, or the fact that they wait for a regrade."""

    verdict: Verdict
    message: str
    parts: list[Part]
    adjustments: list[Adjustment] = []
    settled: bool = False
    """Somebody set the points by hand: they wait for nothing."""

    @property
    def waiting(self) -> bool:
        """Whether the fault is ours and the points are not known yet."""
        return self.verdict is Verdict.INTERNAL_ERROR and not self.settled

    @property
    def points(self) -> float | None:
        """The parts and the course's adjustments together, None while the grade waits."""
        if self.waiting:
            return None
        return rounded(sum(part.earned or 0 for part in self.parts) + sum(one.points for one in self.adjustments))

    @property
    def points_shown(self) -> str:
        """The points, or that they wait, and what full marks are: `72.5 of 100`."""
        return f"{'waiting' if self.points is None else points_text(self.points)} of {points_text(self.possible)}"

    @property
    def possible(self) -> float:
        """What full marks are."""
        return rounded(sum(part.possible for part in self.parts))


def rounded(points: float) -> float:
    """Points to a hundredth: the one rounding there is, so that every place shows the same number."""
    return round(points + 1e-9, 2)


def grade_without_facts(
    verdict: Verdict, message: str, table: PointsTable, predictions: Predictions | None = None, why: str = ""
) -> Grade:
    """The grade of a submission that never ran (nothing handed in, not compiled, or our fault), or whose facts do not
    count, and then `why`."""
    waiting = verdict is Verdict.INTERNAL_ERROR
    reason = (
        "the grade waits: this is the grader's fault, not the student's"
        if waiting
        else why or f"{verdict.words}: nothing ran"
    )
    return Grade(
        verdict=verdict,
        message=message,
        parts=[
            Part(
                name=name,
                status=Status.NOT_MEASURED,
                earned=None if waiting else 0.0,
                possible=getattr(table, name),
                reason=reason,
            )
            for name in _JUDGED
        ]
        + _predict(predictions, table, waiting=waiting),
    )


def grade_from_facts(facts: Facts, table: PointsTable, predictions: Predictions | None = None) -> Grade:
    """The grade that facts and predictions amount to."""
    if facts.verdict is Verdict.INTERNAL_ERROR:
        return grade_without_facts(facts.verdict, facts.message, table, predictions)
    possible, moved = _possible_points(facts, table)
    return Grade(
        verdict=graded_verdict(facts),
        message=graded_message(facts),
        parts=[
            _correct(facts, possible[PartName.CORRECT], moved),
            _safe(facts, possible[PartName.SAFE], moved),
            _fast(facts, possible[PartName.FAST]),
            *_predict(predictions, table),
        ],
    )


def graded_verdict(facts: Facts) -> Verdict:
    """The facts' verdict; `pass` only where the student's own three tests pass."""
    return Verdict.SLOW if facts.verdict is Verdict.PASS and facts.fast.status is Status.FAIL else facts.verdict


def graded_message(facts: Facts) -> str:
    """The sentence beside that verdict."""
    if graded_verdict(facts) is not Verdict.SLOW:
        return facts.message
    return f"Every answer is right; fast has {facts.fast.score:.1f} of 100, and passes from {facts.fast.pass_at:g} on."


def _predict(predictions: Predictions | None, table: PointsTable, *, waiting: bool = False) -> list[Part]:
    """The part for a lab with questions, as a list of one; empty where there are none."""
    if not table.predict:
        return []
    if predictions is None:
        status, fraction, reason = Status.NOT_MEASURED, 0.0, f"{ANSWERS_FILE} was not handed in"
    else:
        fraction = predictions.right / predictions.total if predictions.total else 0.0
        status, reason = Status.PASS if fraction == 1 else Status.FAIL, predictions.reason
    earned = None if waiting else rounded(table.predict * fraction)
    return [Part(name=PartName.PREDICT, status=status, earned=earned, possible=table.predict, reason=reason)]


def _possible_points(facts: Facts, table: PointsTable) -> tuple[dict[PartName, float], str]:
    """What each part is worth here. What the backend cannot measure gives its points to the others in proportion, so
    that full marks stay the same; the sentence says so. Where `correct` failed nothing moves, for there is nothing to
    earn."""
    points = {name: float(getattr(table, name)) for name in _JUDGED}
    if facts.correct.status is not Status.PASS:
        return points, ""
    statuses = {
        PartName.CORRECT: facts.correct.status,
        PartName.SAFE: facts.safe.status,
        PartName.FAST: facts.fast.status,
    }
    unmeasured = [name for name, status in statuses.items() if status is Status.NOT_MEASURED and points[name] > 0]
    measured = sum(points[name] for name in _JUDGED if name not in unmeasured)
    if not unmeasured or measured == 0:
        return points, ""
    factor = table.judged / measured
    moved = f"; holds the points of {' and '.join(unmeasured)}, not measured on this backend"
    return {name: 0.0 if name in unmeasured else rounded(points[name] * factor) for name in _JUDGED}, moved


def _correct(facts: Facts, possible: float, moved: str) -> Part:
    correct = facts.correct
    fraction = correct.passed / correct.total if correct.total else 0.0
    return Part(
        name=PartName.CORRECT,
        status=correct.status,
        earned=rounded(possible * fraction),
        possible=possible,
        reason=f"{correct.passed} of {correct.total} cases passed{moved}",
    )


def _safe(facts: Facts, possible: float, moved: str) -> Part:
    if facts.safe.status is Status.NOT_MEASURED:
        reason = f"not measured: {facts.safe.reason}"
        return Part(name=PartName.SAFE, status=facts.safe.status, earned=0.0, possible=possible, reason=reason)
    errors = sum(finding.severity == "error" for finding in facts.safe.findings)
    reason = f"{counted(errors, 'finding')} of severity error" if errors else "nothing unsafe was found"
    correct = facts.correct.status is Status.PASS
    kept = 1.0 if facts.safe.status is Status.PASS else 0.0
    if errors and all(f.rule == _LEAK_RULE for f in facts.safe.findings if f.severity == "error"):
        kept = KEPT_DESPITE_LEAKS
        reason = "right and free of other errors, but memory was not given back: two thirds of the points"
    return Part(
        name=PartName.SAFE,
        status=facts.safe.status,
        earned=rounded(possible * kept) if correct else 0.0,
        possible=possible,
        reason=reason + (moved if correct else "; earned only when every case passes"),
    )


def _fast(facts: Facts, possible: float) -> Part:
    fast = facts.fast
    if facts.correct.status is not Status.PASS:
        reason = "not measured: earned only when every case passes"
        return Part(name=PartName.FAST, status=Status.NOT_MEASURED, earned=0.0, possible=possible, reason=reason)
    if fast.status is Status.NOT_MEASURED:
        reason = f"not measured: {fast.reason}"
        return Part(name=PartName.FAST, status=Status.NOT_MEASURED, earned=0.0, possible=possible, reason=reason)
    left_out = [criterion.metric for criterion in fast.criteria if criterion.status == "not_measured"]
    reason = f"score {fast.score:.1f} of 100"
    if fast.reason:
        reason += f": {fast.reason}"
    if left_out:
        reason += f"; not measured here, weight given to the others: {', '.join(left_out).replace('_', ' ')}"
    return Part(
        name=PartName.FAST,
        status=fast.status,
        earned=rounded(possible * fast.score / 100),
        possible=possible,
        reason=reason,
    )

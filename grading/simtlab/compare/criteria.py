"""The lab's criteria on both sides: the verdict where nothing was timed, and the points of each criterion."""

from collections.abc import Sequence
from dataclasses import dataclass

from simtlab.compare.measurement import Measurement
from simtlab.compare.statistics import Difference
from simtlab.facts.model import Criterion
from simtlab.text import points_text

_ROUNDING = 0.005
"""Scores are told to a hundredth."""


@dataclass(frozen=True)
class CriterionPair:
    """A criterion on both sides; None where a side does not have it."""

    metric: str
    argument: str
    a: Criterion | None
    b: Criterion | None

    @property
    def name(self) -> str:
        """`sector efficiency a`."""
        return f"{self.metric.replace('_', ' ')} {self.argument}".strip()

    @property
    def points(self) -> tuple[float | None, float | None]:
        """Of the 100 that `fast` has, on each side; None where it was not measured."""
        a, b = (_points(one) for one in (self.a, self.b))
        return a, b

    @property
    def gained(self) -> float:
        """B's points less A's; 0 where one is not measured."""
        a, b = self.points
        return 0.0 if a is None or b is None else b - a


def criterion_pairs(a: Measurement, b: Measurement) -> list[CriterionPair]:
    """The criteria in the lab's order."""
    of_a, of_b = ({(one.metric, one.argument): one for one in side.criteria} for side in (a, b))
    return [CriterionPair(*key, of_a.get(key), of_b.get(key)) for key in dict.fromkeys((*of_a, *of_b))]


def by_criteria(a: Measurement, b: Measurement, pairs: Sequence[CriterionPair]) -> tuple[Difference, str]:
    """BETTER, WORSE or SAME, and what it rests on: what was measured beats what was not, then the score decides. Where
    neither was measured, more right cases are better."""
    if a.score is None and b.score is None:
        return _by_cases(a, b)
    if a.score is None or b.score is None:
        word, missing, one = (Difference.BETTER, "A", a) if a.score is None else (Difference.WORSE, "B", b)
        return word, f"{missing} {ending(one)}, so none of its criteria was measured"
    gap = b.score - a.score
    if abs(gap) < _ROUNDING:
        return Difference.SAME, f"by the lab's criteria both have {points_text(b.score)} of 100"
    reason = f"by the lab's criteria A has {points_text(a.score)} of 100 and B {points_text(b.score)}"
    most = max(pairs, key=lambda one: one.gained * gap, default=None)
    if most and most.gained * gap > 0:
        sign = "+" if most.gained > 0 else "−"
        reason += f"; most of it by {most.name} ({sign}{points_text(abs(most.gained))})"
    return (Difference.BETTER if gap > 0 else Difference.WORSE), reason


def ending(one: Measurement) -> str:
    """`did not compile`, `ended as wrong answer`."""
    return "did not compile" if one.verdict == "compile_error" else f"ended as {one.verdict.words}"


def _by_cases(a: Measurement, b: Measurement) -> tuple[Difference, str]:
    reason = "no criterion was measured: " + (
        f"both {'did not compile' if a.verdict == 'compile_error' else ending(a)}"
        if a.verdict is b.verdict
        else f"A {ending(a)}, B {ending(b)}"
    )
    if a.cases and b.cases:
        reason += f"; A has {a.passed} of {a.cases} cases right, B {b.passed}"
    shares = [one.passed / one.cases if one.cases else 0.0 for one in (a, b)]
    if shares[0] == shares[1]:
        return Difference.SAME, reason
    return (Difference.BETTER if shares[1] > shares[0] else Difference.WORSE), reason


def _points(one: Criterion | None) -> float | None:
    return one.weight * one.fraction if one and one.status == "measured" else None

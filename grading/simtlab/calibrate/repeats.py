"""One submission graded again and again: whether an appeal would change its grade."""

from collections.abc import Sequence

from pydantic import Field

from simtlab.calibrate.ladder import Ladder, intervals_of, readings_of
from simtlab.facts.model import Facts, Interval
from simtlab.record import Record
from simtlab.verdict import Verdict


class Repeat(Record):
    """What one grading saw."""

    verdict: Verdict
    score: float
    milliseconds: float | None = Field(description="median of its timed calls")
    readings: dict[str, float]
    intervals: dict[str, Interval] = Field(description="of the readings, with 95 %")
    attempts: int = Field(description="how often it was measured, until the GPU held still")
    phases: dict[str, float] = Field(description="milliseconds of the judge's time")


class Repeats(Record):
    """All gradings of one variant on one allocation of a GPU."""

    lab: str
    variant: str
    gradings: list[Repeat]

    @property
    def spread(self) -> float:
        """Points between the lowest and the highest score."""
        scores = [one.score for one in self.gradings]
        return max(scores) - min(scores) if scores else 0.0


def repeat_of(facts: Facts) -> Repeat:
    """One grading, from its facts."""
    measurement = facts.timing.measurement
    return Repeat(
        verdict=facts.verdict,
        score=facts.fast.score,
        milliseconds=measurement.median_milliseconds if measurement else None,
        readings=readings_of(facts),
        intervals=intervals_of(facts),
        attempts=measurement.attempts if measurement else 0,
        phases=facts.timing.phases,
    )


def variant_to_repeat(ladder: Ladder) -> str | None:
    """The variant whose score is nearest to the middle, where a change of a time changes the score.

    None when the lab has no time criterion."""
    timed = [step for step in ladder.steps if step.readings]
    return min(timed, key=lambda step: abs(step.score - 50)).variant if timed else None


def summary(repeats: Repeats) -> Sequence[str]:
    """Lab, variant, gradings, verdicts, lowest and highest score, spread."""
    scores = [one.score for one in repeats.gradings]
    verdicts = sorted({str(one.verdict) for one in repeats.gradings})
    return (
        repeats.lab,
        repeats.variant,
        str(len(scores)),
        ", ".join(verdicts),
        f"{min(scores):.2f} to {max(scores):.2f}" if scores else "",
        f"{repeats.spread:.2f}",
    )

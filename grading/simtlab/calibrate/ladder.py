"""The variants of a lab by their times: margins between neighbours, and which neighbours no time can tell apart."""

from collections.abc import Sequence

from pydantic import Field

from simtlab.facts.model import Criterion, Facts, Interval
from simtlab.record import Record

REPEATABLE = 0.01
"""Medians of the same kernel were seen to differ by up to 1 % between allocations: a smaller margin is noise."""


class Step(Record):
    """One right variant's time and readings."""

    variant: str
    milliseconds: float = Field(gt=0)
    interval: Interval
    readings: dict[str, float] = Field(description="value of each time criterion, by its metric and baseline")
    reading_intervals: dict[str, Interval] = Field(default={}, description="each with 95 %")
    score: float
    phases: dict[str, float] = Field(default={}, description="of the solution, graded alone: the judge's milliseconds")


class Ladder(Record):
    """A lab's steps, fastest first."""

    lab: str
    steps: list[Step]

    def margin_above(self, place: int) -> float | None:
        """How much longer this step takes than the next faster one: 0.25 is a quarter more; None for the fastest."""
        if place == 0:
            return None
        return self.steps[place].milliseconds / self.steps[place - 1].milliseconds - 1

    def is_told_apart(self, place: int) -> bool:
        """Whether time tells this step from the next faster one: disjoint intervals, further apart than runs differ."""
        margin = self.margin_above(place)
        if margin is None:
            return True
        return margin > REPEATABLE and self.steps[place].interval[0] > self.steps[place - 1].interval[1]


class Ceilings(Record):
    """What a GPU was measured to do; thresholds are fractions of it."""

    gpu: str
    driver: str
    copy_gigabytes_per_second: float
    read_gigabytes_per_second: float
    giga_multiply_adds_per_second: float


def readings_of(facts: Facts) -> dict[str, float]:
    """The values of the time criteria, by metric and baseline."""
    timed = [one for one in facts.fast.criteria if one.interval is not None and one.value is not None]
    return {_name_of(one): one.value for one in timed if one.value is not None}


def intervals_of(facts: Facts) -> dict[str, Interval]:
    """The intervals that hold those values with 95 %."""
    return {_name_of(one): one.interval for one in facts.fast.criteria if one.interval is not None}


def _name_of(criterion: Criterion) -> str:
    return f"{criterion.metric}({criterion.argument})" if criterion.argument else criterion.metric


def step_of(variant: str, facts: Facts) -> Step | None:
    """The variant's step; None when none of its calls was timed, as when it is wrong."""
    measurement = facts.timing.measurement
    if measurement is None or not measurement.median_milliseconds or measurement.interval_milliseconds is None:
        return None
    return Step(
        variant=variant,
        milliseconds=measurement.median_milliseconds,
        interval=measurement.interval_milliseconds,
        readings=readings_of(facts),
        reading_intervals=intervals_of(facts),
        score=facts.fast.score,
    )


def ladder_of(lab: str, steps: Sequence[Step]) -> Ladder:
    """The steps in order."""
    return Ladder(lab=lab, steps=sorted(steps, key=lambda step: step.milliseconds))


def ceilings_of(facts: Facts) -> Ceilings | None:
    """The ceilings that a timed judgement measured; None when it measured none."""
    gpu, timing = facts.environment.gpu, facts.timing
    measured = timing.measurement
    if gpu is None or measured is None or timing.copy_gigabytes_per_second is None:
        return None
    if measured.read_gigabytes_per_second is None or measured.giga_multiply_adds_per_second is None:
        return None
    return Ceilings(
        gpu=gpu.name,
        driver=gpu.driver,
        copy_gigabytes_per_second=timing.copy_gigabytes_per_second,
        read_gigabytes_per_second=measured.read_gigabytes_per_second,
        giga_multiply_adds_per_second=measured.giga_multiply_adds_per_second,
    )

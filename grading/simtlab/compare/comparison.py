"""Two measurements side by side: what may be said of their times, and every counter that differs."""

from dataclasses import dataclass
from statistics import median

from simtlab.compare.measurement import Measurement
from simtlab.compare.statistics import MARGIN, Difference, RatioInterval, difference, observations, ratio_interval
from simtlab.text import counted, number_text

RATIO_MARGIN = 0.05
"""Between machines, after each was divided by its own copy bandwidth: kernels gain from a new GPU by different
factors, so less than this says nothing of the code."""


@dataclass(frozen=True)
class CounterChange:
    """A counter of both sides; None where a side does not have it."""

    name: str
    before: float | None
    after: float | None

    @property
    def differs(self) -> bool:
        """Counters are exact: any difference is one."""
        return self.before != self.after


@dataclass(frozen=True)
class Comparison:
    """B against A. `interval` is None when there are no times to compare; `reason` says what the verdict rests on."""

    a: Measurement
    b: Measurement
    difference: Difference
    interval: RatioInterval | None
    median_a: float | None
    median_b: float | None
    by_ratio: bool
    reason: str
    counters: list[CounterChange]

    @property
    def same_files(self) -> bool:
        """Whether both sides are the same source, byte for byte."""
        return self.a.files == self.b.files

    @property
    def other_files(self) -> list[str]:
        """The names of the files that differ, or that one side alone has."""
        return sorted(
            name for name in {*self.a.files, *self.b.files} if self.a.files.get(name) != self.b.files.get(name)
        )

    @property
    def uncounted(self) -> list[str]:
        """`A` and `B`, those of them without any counter: what is wrong is not counted."""
        return [name for name, one in (("A", self.a), ("B", self.b)) if not one.counters]

    @property
    def changed_counters(self) -> list[CounterChange]:
        """The counters that differ."""
        return [one for one in self.counters if one.differs]


def compare(a: Measurement, b: Measurement, *, by_ratio: bool = False, margin: float | None = None) -> Comparison:
    """Compares B with A, two measurements of the same lab. On different machines times are not compared, unless
    `by_ratio` divides each by what a copy took beside it."""
    counters = _counters(a, b)
    refusal = _why_not(a, b, by_ratio=by_ratio)
    if refusal:
        verdict = Difference.SAME if a.files == b.files and not _any_differs(counters) else Difference.UNDECIDED
        return Comparison(a, b, verdict, None, _median(a), _median(b), False, refusal, counters)
    ratio = by_ratio and a.machine != b.machine
    wide = margin if margin is not None else RATIO_MARGIN if ratio else MARGIN
    times_a, times_b = observations(_runs(a, ratio=ratio), _runs(b, ratio=ratio))
    interval = ratio_interval(times_a, times_b)
    found = difference(interval, wide)
    reason = _reason(found, interval, len(times_a), len(times_b), wide)
    if a.files == b.files and found in {Difference.FASTER, Difference.SLOWER}:
        reason = f"the files are the same, so the machine differed, not the code ({reason})"
        found = Difference.UNDECIDED
    if ratio:
        reason += f"; times divided by each machine's own copy ({a.machine} and {b.machine})"
    return Comparison(a, b, found, interval, _median(a), _median(b), ratio, reason, counters)


def _why_not(a: Measurement, b: Measurement, *, by_ratio: bool) -> str:
    same = "the files are the same; " if a.files == b.files else ""
    if not a.runs or not b.runs:
        if a.backend == b.backend == "emulator":
            return f"{same}the emulator counts and measures no time"
        lacking = " and ".join(name for name, one in (("A", a), ("B", b)) if not one.runs)
        return f"{same}{lacking} has no time samples"
    if a.sizes != b.sizes:
        return f"{same}the benchmarks have other sizes: {_sizes(a)} and {_sizes(b)}"
    if a.machine != b.machine:
        machines = f"{a.machine or 'unknown'} and {b.machine or 'unknown'}"
        if not by_ratio:
            return f"measured on different machines ({machines}); --by-ratio compares by each machine's own copy"
        if any(run.copy_gigabytes_per_second is None for one in (a, b) for run in one.runs):
            return f"measured on different machines ({machines}), and without a copy beside it there is no ratio"
    return ""


def _reason(found: Difference, interval: RatioInterval, m: int, n: int, margin: float) -> str:
    if interval.low == 0:
        return f"{m} and {n} observations are too few for an interval; at least 5 on both sides are needed"
    apart = f"{margin:.1%}".replace(".0%", "%").replace("%", " %")
    return {
        Difference.FASTER: f"the whole interval lies below 1 by more than {apart}",
        Difference.SLOWER: f"the whole interval lies above 1 by more than {apart}",
        Difference.SAME: f"the whole interval lies within {apart} of 1",
        Difference.UNDECIDED: f"the interval reaches across {apart} beside 1; more process runs would narrow it",
    }[found]


def _runs(one: Measurement, *, ratio: bool) -> list[list[float]]:
    return [
        [value * (run.copy_gigabytes_per_second or 0 if ratio else 1) for value in run.milliseconds] for run in one.runs
    ]


def _median(one: Measurement) -> float | None:
    values = [median(run.milliseconds) for run in one.runs]
    return median(values) if values else None


def _counters(a: Measurement, b: Measurement) -> list[CounterChange]:
    names = [*a.counters, *(name for name in b.counters if name not in a.counters)]
    return [CounterChange(name, a.counters.get(name), b.counters.get(name)) for name in names]


def _any_differs(counters: list[CounterChange]) -> bool:
    return any(one.differs for one in counters)


def _sizes(one: Measurement) -> str:
    return ", ".join(f"{name} {number_text(value)}" for name, value in one.sizes.items()) or "none"


def interval_text(one: Comparison) -> str:
    """`0.971 (0.968 to 0.975)`: B's time over A's with its interval, 99 % unless said otherwise."""
    if one.interval is None:
        return "–"
    if one.interval.low == 0:
        return f"{one.interval.ratio:.3f}"
    return f"{one.interval.ratio:.3f} ({one.interval.low:.3f} to {one.interval.high:.3f})"


def effect_text(one: Comparison) -> str:
    """`B takes 2.9 % less time`, or nothing when there is no interval."""
    if one.interval is None:
        return ""
    change = one.interval.ratio - 1
    if abs(change) < 0.0005:
        return "B takes the same time"
    return f"B takes {abs(change):.1%} {'less' if change < 0 else 'more'} time".replace("%", " %")


def summary(comparisons: list[Comparison]) -> str:
    """`2 FASTER, 1 SAME`: how many submissions ended in each way."""
    tally = [(word, sum(one.difference is word for one in comparisons)) for word in Difference]
    return ", ".join(f"{count} {word}" for word, count in tally if count) or counted(0, "pair")

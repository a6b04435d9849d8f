"""Two measurements side by side: what may be said of their times, and every counter that differs."""

from dataclasses import dataclass
from statistics import median

from simtlab.compare.criteria import CriterionPair, by_criteria, criterion_pairs, ending
from simtlab.compare.explanation import Hosts, largest_difference
from simtlab.compare.measurement import Measurement
from simtlab.compare.roles import Pairing, pair_by_role
from simtlab.compare.statistics import MARGIN, Difference, RatioInterval, difference, observations, ratio_interval
from simtlab.compare.uses import Figure, differing_counters
from simtlab.text import counted, number_text

RATIO_MARGIN = 0.05
"""Between machines, after each was divided by its own copy bandwidth: kernels gain from a new GPU by different
factors, so less than this says nothing of the code."""


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
    criteria: list[CriterionPair]
    pairing: Pairing
    """Kernels and arrays of both sides by their roles."""
    explanation: str
    """The largest difference of the counters in a sentence, or why there is none."""

    @property
    def heads(self) -> tuple[str, str]:
        """Over the columns: `A: alice`, `B: bob`; the bare letters where both are the same student's."""
        if self.a.student == self.b.student:
            return "A", "B"
        return f"A: {self.a.student}", f"B: {self.b.student}"

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
    def changed_counters(self) -> list[Figure]:
        """The counters that differ, of what has one role on both sides and of what one side alone has."""
        return list(differing_counters(self.pairing))


def compare(a: Measurement, b: Measurement, *, by_ratio: bool = False, margin: float | None = None) -> Comparison:
    """Compares B with A, two measurements of the same lab: by their times, or by the lab's criteria where a side has
    none. On different machines times are not compared, unless `by_ratio` divides each by what a copy took beside it."""
    refusal = "" if a.runs and b.runs else _without_times(a, b)
    criteria = criterion_pairs(a, b)
    if refusal:
        verdict, reason = by_criteria(a, b, criteria)
        return _comparison(a, b, criteria, verdict, f"{refusal}{reason}")
    refusal = _why_not(a, b, by_ratio=by_ratio)
    if refusal:
        same = a.files == b.files and not any(differing_counters(pair_by_role(a.launches, b.launches)))
        return _comparison(a, b, criteria, Difference.SAME if same else Difference.UNDECIDED, refusal)
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
    return _comparison(a, b, criteria, found, reason, interval=interval, by_ratio=ratio)


def _comparison(
    a: Measurement,
    b: Measurement,
    criteria: list[CriterionPair],
    verdict: Difference,
    reason: str,
    *,
    interval: RatioInterval | None = None,
    by_ratio: bool = False,
) -> Comparison:
    pairing = pair_by_role(a.launches, b.launches)
    told = _uncounted(a, b) or largest_difference(
        pairing, Hosts(a.host, b.host), criteria, interval.ratio if interval else None
    )
    return Comparison(a, b, verdict, interval, _median(a), _median(b), by_ratio, reason, criteria, pairing, told)


def _uncounted(a: Measurement, b: Measurement) -> str:
    """Why the counters name no difference; empty where both sides have some."""
    missing = [(name, one) for name, one in (("A", a), ("B", b)) if not one.counted]
    if not missing:
        return ""
    names = " and ".join(name for name, _ in missing)
    if all(one.runs for _, one in missing):
        return f"{names} {'has' if len(missing) == 1 else 'have'} times and no counters: the emulator counts."
    if all(one.score is not None for _, one in missing):
        return f"{names} launched no kernel that was counted."
    ends = list(dict.fromkeys(f"{name} {ending(one)}" for name, one in missing))
    return f"Nothing was counted of {names}: counters are taken where every answer is right, and {' and '.join(ends)}."


def _without_times(a: Measurement, b: Measurement) -> str:
    """What stands before the criteria's reason where a side was not timed."""
    same = "the files are the same; " if a.files == b.files else ""
    if a.backend != "cuda" and b.backend != "cuda":
        return f"{same}the emulator counts and measures no time; "
    lacking = " and ".join(name for name, one in (("A", a), ("B", b)) if not one.runs)
    return f"{same}{lacking} has no time samples; "


def _why_not(a: Measurement, b: Measurement, *, by_ratio: bool) -> str:
    same = "the files are the same; " if a.files == b.files else ""
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

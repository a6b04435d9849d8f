"""The ratio of two sets of times with an interval that holds for few samples and any distribution.

Times are compared on a logarithmic scale, where a ratio is a shift. The estimate is that of Hodges and Lehmann, the
median of all pairwise differences; the interval is made of two of those differences in order, chosen by the exact
distribution of the Mann-Whitney statistic (Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3rd ed., 4.3).
It assumes nothing but that the two sets differ by a factor. It is never narrower than what the number of samples can
carry, and where they are too few it is unbounded.

Samples of one process run share that run's luck (addresses, clocks), which no number of samples averages out. The
verdict therefore leaves a margin around 1, by default 1 %: more than process runs of one file differ.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from statistics import NormalDist, median

CONFIDENCE = 0.99
MARGIN = 0.01
FEWEST_RUNS = 5
"""From as many process runs on both sides, each run counts as one observation, its median."""
_LARGEST_EXACT = 10_000


class Difference(StrEnum):
    """What may be said about B against A: by times FASTER, SLOWER or UNDECIDED, by the lab's criteria BETTER or WORSE,
    by either SAME."""

    FASTER = "FASTER"
    SLOWER = "SLOWER"
    BETTER = "BETTER"
    WORSE = "WORSE"
    SAME = "SAME"
    UNDECIDED = "UNDECIDED"


@dataclass(frozen=True)
class RatioInterval:
    """Time of B over time of A: below 1 means that B is faster. `low` may be 0 and `high` infinite."""

    ratio: float
    low: float
    high: float

    def inverse(self) -> "RatioInterval":
        """The same seen from the other side."""
        return RatioInterval(1 / self.ratio, 1 / self.high, 1 / self.low if self.low else math.inf)


def observations(runs: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """What is compared: the medians of the process runs where both sides have `FEWEST_RUNS`, else all samples."""
    sides = ([run for run in runs if run], [run for run in other if run])
    if min(map(len, sides)) >= FEWEST_RUNS:
        return [median(run) for run in sides[0]], [median(run) for run in sides[1]]
    return [value for run in sides[0] for value in run], [value for run in sides[1] for value in run]


def ratio_interval(a: Sequence[float], b: Sequence[float], confidence: float = CONFIDENCE) -> RatioInterval:
    """The ratio of B's times to A's; all times are positive, and neither side is empty."""
    if not a or not b or min(*a, *b) <= 0:
        raise ValueError("expected positive times on both sides")
    logs_a, logs_b = [math.log(value) for value in a], [math.log(value) for value in b]
    shifts = sorted(y - x for x in logs_a for y in logs_b)
    left_out = shifts_left_out(len(a), len(b), confidence)
    centre = math.exp(median(shifts))
    if left_out == 0:
        return RatioInterval(centre, 0.0, math.inf)
    return RatioInterval(centre, math.exp(shifts[left_out - 1]), math.exp(shifts[-left_out]))


def difference(interval: RatioInterval, margin: float = MARGIN) -> Difference:
    """FASTER and SLOWER when the whole interval lies beyond the margin, SAME when all of it lies within."""
    fast, slow = 1 / (1 + margin), 1 + margin
    if interval.high < fast:
        return Difference.FASTER
    if interval.low > slow:
        return Difference.SLOWER
    return Difference.SAME if fast <= interval.low and interval.high <= slow else Difference.UNDECIDED


@cache
def shifts_left_out(m: int, n: int, confidence: float) -> int:
    """The rank, counted from either end, of the pairwise difference that bounds the interval; 0: too few samples."""
    tail = (1 - confidence) / 2
    if m * n > _LARGEST_EXACT:
        deviation = math.sqrt(m * n * (m + n + 1) / 12)
        return max(math.floor(m * n / 2 + NormalDist().inv_cdf(tail) * deviation), 0)
    counts = _mann_whitney_counts(m, n)
    most = tail * math.comb(m + n, m)
    below = 0
    for rank, count in enumerate(counts):
        below += count
        if below > most:
            return rank
    return 0


def _mann_whitney_counts(m: int, n: int) -> list[int]:
    """How many of the C(m+n, m) orders give each value of U up to the middle: a Gaussian binomial coefficient."""
    size = m * n // 2 + 2
    counts = [1] + [0] * (size - 1)
    for i in range(1, m + 1):
        for power in range(size - 1, n + i - 1, -1):
            counts[power] -= counts[power - n - i]
        for power in range(i, size):
            counts[power] += counts[power - i]
    return counts

"""The interval of a median over several runs, for charts. That of one run is the judge's, in the facts; `compare` has
its own for ratios."""

from statistics import median

_FEWEST_FOR_INTERVAL = 6


def median_interval(samples: list[float]) -> tuple[float, float, float]:
    """The median with the interval that order statistics give it: at least 95 % from 6 samples on, all of them below.
    Source: the binomial distribution of how many samples lie below the median."""
    values = sorted(samples)
    count = len(values)
    if count < _FEWEST_FOR_INTERVAL:
        return median(values), values[0], values[-1]
    tail, ways, below = 0, 1, 0
    for below in range(count // 2):
        if tail + ways > 0.025 * 2**count:
            break
        tail += ways
        ways = ways * (count - below) // (below + 1)
    return median(values), values[max(below - 1, 0)], values[min(count - below, count - 1)]

"""The interval covers, the verdict does not lie inside the noise, and a difference of 3 % is seen."""

import itertools
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.compare.statistics import (
    Difference,
    RatioInterval,
    difference,
    observations,
    ratio_interval,
    shifts_left_out,
)

TIMES = st.lists(st.floats(0.01, 100), min_size=1, max_size=12)


def orders(m: int, n: int) -> list[int]:
    """The value of U for each of the C(m+n, m) orders of two samples, counted by hand."""
    return [
        sum(sum(b < a for b in range(m + n) if b not in chosen) for a in chosen)
        for chosen in itertools.combinations(range(m + n), m)
    ]


@pytest.mark.parametrize(("m", "n"), [(5, 5), (4, 7), (6, 5)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_rank_is_the_one_of_the_exact_distribution(m: int, n: int, confidence: float) -> None:
    values = orders(m, n)
    tail = (1 - confidence) / 2
    largest = max((k for k in range(m * n) if sum(v < k for v in values) <= tail * len(values)), default=0)
    assert shifts_left_out(m, n, confidence) == largest


def test_the_rank_of_the_tables() -> None:
    """Hollander, Wolfe, Chicken, table A.6; the usual tables of the U test."""
    assert shifts_left_out(10, 10, 0.95) == 24
    assert shifts_left_out(20, 20, 0.95) == 128
    assert shifts_left_out(8, 8, 0.99) == 8
    assert shifts_left_out(4, 4, 0.99) == 0


def test_large_samples_agree_with_the_exact_rank() -> None:
    assert shifts_left_out(100, 100, 0.99) == pytest.approx(shifts_left_out(100, 101, 0.99), rel=0.03)


@given(TIMES, TIMES)
def test_the_estimate_lies_in_its_interval_and_turning_the_sides_turns_it(a: list[float], b: list[float]) -> None:
    there, back = ratio_interval(a, b), ratio_interval(b, a)
    assert there.low <= there.ratio * (1 + 1e-12)
    assert there.ratio <= there.high * (1 + 1e-12)
    assert there.ratio == pytest.approx(back.inverse().ratio)
    assert there.low == pytest.approx(back.inverse().low)


@given(TIMES, TIMES, st.floats(0.1, 10))
def test_another_unit_changes_nothing(a: list[float], b: list[float], unit: float) -> None:
    one, other = ratio_interval(a, b), ratio_interval([x * unit for x in a], [x * unit for x in b])
    assert one.ratio == pytest.approx(other.ratio)
    assert one.high == pytest.approx(other.high)


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=40))
def test_the_same_samples_are_never_faster_or_slower(a: list[float]) -> None:
    assert difference(ratio_interval(a, a)) in {Difference.SAME, Difference.UNDECIDED}


@given(st.lists(st.floats(0.5, 2), min_size=1, max_size=4), st.lists(st.floats(50, 90), min_size=1, max_size=5))
def test_too_few_samples_decide_nothing(a: list[float], b: list[float]) -> None:
    interval = ratio_interval(a, b)
    assert (interval.low, interval.high) == (0, math.inf)
    assert difference(interval) is Difference.UNDECIDED


def test_the_margin_bounds_every_verdict() -> None:
    assert difference(RatioInterval(0.95, 0.94, 0.98)) is Difference.FASTER
    assert difference(RatioInterval(0.95, 0.94, 0.995)) is Difference.UNDECIDED
    assert difference(RatioInterval(1.0, 0.995, 1.005)) is Difference.SAME
    assert difference(RatioInterval(1.05, 1.02, 1.08)) is Difference.SLOWER
    assert difference(RatioInterval(1.05, 1.02, 1.08), margin=0.03) is Difference.UNDECIDED


def test_one_number_a_run_as_soon_as_there_are_five_runs() -> None:
    runs = [[1.0, 2.0, 3.0]] * 5
    assert observations(runs, runs) == ([2.0] * 5, [2.0] * 5)
    assert observations(runs[:4], runs) == ([1.0, 2.0, 3.0] * 4, [1.0, 2.0, 3.0] * 5)


def test_times_that_are_none_are_refused() -> None:
    for a, b in (([], [1.0]), ([1.0], [0.0])):
        with pytest.raises(ValueError, match="positive"):
            ratio_interval(a, b)


def measured(
    draw: random.Random, *, samples: int, noise: float, runs: int = 1, factor: float = 1.0
) -> list[list[float]]:
    """Process runs as they are on a GPU: each has its own luck (0.25 %), neighbouring samples resemble each other, and
    one sample in twenty is held up."""
    found = []
    for _ in range(runs):
        luck, drift, run = draw.gauss(0, 0.0025), 0.0, []
        for _ in range(samples):
            drift = 0.5 * drift + draw.gauss(0, noise)
            held_up = draw.expovariate(1 / 0.02) if draw.random() < 0.05 else 0
            run.append(0.2 * factor * math.exp(luck + drift + held_up))
        found.append(run)
    return found


def verdict(a: list[list[float]], b: list[list[float]]) -> Difference:
    return difference(ratio_interval(*observations(a, b)))


@pytest.mark.parametrize("runs", [1, 6])
@pytest.mark.parametrize(("samples", "noise"), [(10, 0.002), (10, 0.005), (40, 0.005)])
def test_false_verdicts_are_rare_and_three_percent_are_seen(samples: int, noise: float, runs: int) -> None:
    """At most 1 % FASTER or SLOWER among identical kernels, at least 95 % right at 3 % (seed fixed)."""
    draw = random.Random(20 * samples + runs)
    repeats = 400 if samples == 10 else 150
    wrong = sum(
        verdict(*(measured(draw, samples=samples, noise=noise, runs=runs) for _ in range(2))) in ("FASTER", "SLOWER")
        for _ in range(repeats)
    )
    right = sum(
        verdict(
            measured(draw, samples=samples, noise=noise, runs=runs),
            measured(draw, samples=samples, noise=noise, runs=runs, factor=1 / 1.03),
        )
        is Difference.FASTER
        for _ in range(repeats)
    )
    assert wrong <= 0.01 * repeats
    assert right >= 0.95 * repeats


def test_the_interval_covers_the_true_ratio() -> None:
    """99 % of the time when the samples are independent, whatever their distribution."""
    draw = random.Random(7)
    covered = 0
    for _ in range(500):
        a = [draw.lognormvariate(0, 0.5) for _ in range(9)]
        b = [1.3 * draw.lognormvariate(0, 0.5) for _ in range(12)]
        interval = ratio_interval(a, b)
        covered += interval.low <= 1.3 <= interval.high
    assert covered >= 0.98 * 500


def test_the_estimate_withstands_a_wild_sample() -> None:
    a = [1.0, 1.001, 0.999, 1.0, 1.002, 0.998]
    assert ratio_interval([*a, 50.0], [x * 0.9 for x in a]).ratio == pytest.approx(0.9, rel=0.01)


DATA = Path(__file__).parent / "data"
KERNELS = "012345"


def measured_runs(name: str) -> dict[tuple[str, str], list[list[float]]]:
    """(kernel, share) → process runs, as harness/bench/noise/kernels.cu printed them on an H200."""
    runs: dict[tuple[str, str], list[list[float]]] = {}
    for line in (DATA / name).read_text(encoding="ascii").splitlines():
        kernel, share, *samples = line.split()
        runs.setdefault((kernel, share), []).append([float(one) for one in samples])
    return runs


@pytest.mark.parametrize("runs", [1, 5])
def test_on_two_h200_no_verdict_is_wrong_and_three_percent_are_seen(runs: int) -> None:
    """22 process runs of six kernels in each of two allocations (two cards), resampled by run. Between allocations, for
    that is how terms are compared; the sum was measured in the second alone."""
    first, second = measured_runs("h200-first.txt"), measured_runs("h200-second.txt")
    draw = random.Random(runs)
    wrong = right = repeats = 0
    for kernel in KERNELS:
        before = first.get((kernel, "1"), second[kernel, "1"])
        assert min(len(before), len(second[kernel, "1"]), len(second[kernel, "0.97"])) >= 20
        for _ in range(40):
            repeats += 1
            a = draw.choices(before, k=runs)
            wrong += verdict(a, draw.choices(second[kernel, "1"], k=runs)) in ("FASTER", "SLOWER")
            right += verdict(a, draw.choices(second[kernel, "0.97"], k=runs)) is Difference.FASTER
    assert wrong <= 0.01 * repeats
    assert right >= 0.95 * repeats

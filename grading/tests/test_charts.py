"""Charts against values worked out by hand, and the sizes of a large class's report."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from simtlab.report.charts import (
    Ceilings,
    RooflinePoint,
    RooflineScale,
    Strip,
    Threshold,
    roofline,
    strips,
    value_histogram,
)
from simtlab.report.class_page import lab_overviews
from simtlab.report.lab_page import lab_view
from simtlab.report.medians import median_interval
from simtlab.report.site import write_site
from simtlab.report.submission_page import submission_view
from simtlab.store.results import ResultStore
from simtlab.text import number_text
from tests.example_facts import TIMING, passed_facts, timed_facts
from tests.graded_book import book_of
from tests.large_class import large_class

HOSTILE = '"><script>alert(1)</script>'


def test_the_ceiling_is_intensity_times_bandwidth_up_to_the_arithmetic_peak() -> None:
    """Vector addition: 1 operation for 12 bytes; a copy at 4092 GB/s lets 341 · 10⁹ operations a second through. With
    32,736 · 10⁹ multiply-adds a second the ceilings meet at 8 operations a byte."""
    assert Ceilings(4092).roof(1 / 12) == 341
    assert Ceilings(100).roof(10) == 1000
    both = Ceilings(4092, 32_736)
    assert both.ridge == 8
    assert [both.roof(one) for one in (1 / 12, 4, 8, 64)] == [341, 16_368, 32_736, 32_736]


def test_the_roofline_stands_where_the_axes_say() -> None:
    scale = RooflineScale(left=-1, right=2, bottom=0, top=5)
    assert (scale.x(0.1), scale.x(1), scale.x(100)) == (60, 190, 450)
    assert (scale.y(1), scale.y(10), scale.y(100_000)) == (260, 210, 10)


def test_a_point_on_half_the_ceiling_is_drawn_and_told_there() -> None:
    """Intensity 1 spans the decades 0.1 to 10; the ceiling of 1000 GB/s passes 100, 1000 and 10,000 there."""
    chart = str(roofline([RooflinePoint("alice", 1.0, 500.0, "alice.html")], Ceilings(1000.0), "Roofline"))
    scale = RooflineScale(left=-1, right=1, bottom=2, top=4)
    assert f'cx="{scale.x(1):.1f}" cy="{scale.y(500):.1f}"' in chart
    assert f'points="60.0,{scale.y(100):.1f} 450.0,{scale.y(10_000):.1f}"' in chart
    assert "alice: 500 G/s, 50% of the ceiling" in chart
    assert "copy, 1,000 GB/s" in chart


def test_both_ceilings_meet_where_the_ridge_is() -> None:
    """1000 GB/s and 20,000 · 10⁹ operations a second: the ridge is at 20 operations a byte. The axes reach from 1, the
    point's decade, to 100, and from 100 to 100,000; 100 · 1000 would be beyond the flat ceiling."""
    points = [RooflinePoint("memory", 1.0, 500.0), RooflinePoint("arithmetic", 100.0, 15_000.0)]
    chart = str(roofline(points, Ceilings(1000.0, 20_000.0), "Roofline"))
    scale = RooflineScale(left=0, right=2, bottom=2, top=5)
    assert (scale.x(1), scale.x(10), scale.x(100)) == (60, 255, 450)
    assert f"{scale.x(20):.1f}" == "313.7", "60 + 390 · log10(20) / 2"
    assert f"{scale.y(20_000):.1f}" == "68.2", "260 - 250 · (log10(20,000) - 2) / 3"
    assert f'points="60.0,{scale.y(1000):.1f} 313.7,68.2 450.0,68.2"' in chart
    assert f'cx="450.0" cy="{scale.y(15_000):.1f}"' in chart
    assert "memory: 500 G/s, 50% of the ceiling" in chart
    assert "arithmetic: 15,000 G/s, 75% of the ceiling" in chart
    assert "ceilings copy, 1,000 GB/s and multiply-adds, 20,000 · 10⁹ a second" in chart


def test_a_lab_graded_on_the_emulator_says_what_its_roofline_lacks(store: ResultStore) -> None:
    book = book_of({("alice", "01-lab"): passed_facts()})
    view = lab_view(book, lab_overviews(book)[0], store, lambda _: "")
    assert not view.roofline
    assert "it needs times, a copy's bandwidth and the rate of multiply-adds" in view.roofline_lacks
    on_a_gpu = passed_facts(backend="cuda")
    on_a_gpu["timing"] |= {"samples": [0.1], "copy_gigabytes_per_second": 100.0}
    book = book_of({("alice", "01-lab"): on_a_gpu})
    view = lab_view(book, lab_overviews(book)[0], store, lambda _: "")
    assert view.roofline
    assert view.roofline_lacks == "Not measured: the rate of multiply-adds, so the flat ceiling is not drawn."


def test_the_measured_ceilings_are_the_facts(store: ResultStore) -> None:
    """The judge's own measurement: a copy and multiply-adds beside the submission."""
    document = timed_facts(backend="cuda")
    measured = document["timing"]["measurement"]["giga_multiply_adds_per_second"]
    book = book_of({("alice", "01-lab"): document})
    view = lab_view(book, lab_overviews(book)[0], store, lambda _: "alice.html")
    assert f"multiply-adds, {number_text(float(f'{measured:.4g}'))} · 10⁹ a second" in str(view.roofline)
    assert view.roofline_lacks == ""


def test_a_labs_roofline_is_its_model_over_the_median_time(store: ResultStore) -> None:
    """2,097,152 operations in 0.1 ms are 20.97 · 10⁹ a second; 196,608 bytes give an intensity of 10.67."""
    document = passed_facts()
    measured = TIMING["measurement"] | {"median_milliseconds": 0.1, "interval_milliseconds": None}
    document["timing"] |= {"samples": [0.1, 0.1, 0.1], "copy_gigabytes_per_second": 100.0}
    document["timing"]["measurement"] = measured | {"giga_multiply_adds_per_second": None}
    book = book_of({("alice", "01-lab"): document})
    view = lab_view(book, lab_overviews(book)[0], store, lambda _: "alice.html")
    scale = RooflineScale(left=0, right=3, bottom=1, top=5)
    assert f'cx="{scale.x(10.6667):.1f}" cy="{scale.y(20.97152):.1f}"' in str(view.roofline)
    assert "alice: 20.97 G/s, 2% of the ceiling" in str(view.roofline)
    assert "alice 0.1 ms" in str(view.timing)


def test_the_interval_of_a_submissions_times_is_the_judges(store: ResultStore) -> None:
    """On the lab's page and on the submission's: its confidence too, and never one that Python worked out."""
    document = timed_facts(backend="cuda")
    document["timing"]["samples"] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    book = book_of({("alice", "01-lab"): document})
    view = lab_view(book, lab_overviews(book)[0], store, lambda _: "alice.html")
    assert "0.166 ms, 0.1655 to 0.1665" in str(view.timing)
    alice = book.submissions["alice", "01-lab"]
    times = submission_view(alice, book.specifications["01-lab"], store).times
    assert times is not None
    assert (times.count, times.median, times.interval, times.confidence) == (7, 0.166, (0.1655, 0.1665), 0.975)


@pytest.mark.parametrize(("count", "low", "high"), [(6, 1, 6), (9, 2, 8), (10, 2, 9), (15, 4, 12), (20, 6, 15)])
def test_the_interval_of_a_median_is_the_tables(count: int, low: int, high: int) -> None:
    """Ranks of the 95 % interval, as in every table of the sign test."""
    samples = [float(rank) for rank in range(1, count + 1)]
    assert median_interval(samples)[1:] == (low, high)


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=60))
def test_a_median_lies_in_its_interval(samples: list[float]) -> None:
    centre, low, high = median_interval(samples)
    assert low <= centre <= high


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.floats(-1e6, 1e6))
@example([5e-324], 0.0)  # no number lies between the two
def test_a_histogram_counts_everything_and_draws_its_threshold(values: list[float], threshold: float) -> None:
    chart = str(value_histogram(values, [Threshold(threshold, "full points")], HOSTILE))
    counted = [int(one) for one in re.findall(r'text-anchor="middle">(\d+)</text>', chart)]
    assert sum(counted) == len(values)
    x = re.search(r'class="threshold" x1="([\d.]+)"', chart)
    assert x is not None
    assert 0 <= float(x[1]) <= 320
    assert "<script" not in chart


def test_names_in_a_chart_are_text() -> None:
    chart = str(
        strips(
            [Strip(HOSTILE, 1, 0.9, 1.1, f"x.html{HOSTILE}"), Strip(HOSTILE, 2, 2, 2, reference=True)], "ms", HOSTILE
        )
    )
    assert "<script" not in chart
    assert chart.count('class="reference"') == 1


def test_pages_of_a_class_stay_within_their_sizes(tmp_path: Path) -> None:
    """What a student adds to the class page and the lab pages, times 300 students and 17 labs, stays below 15 MB; the
    whole class is built by `make bench`."""
    sizes = []
    for students in (6, 18):
        book, store = large_class(tmp_path / f"store {students}", students, 2, random.Random(1))
        index = write_site(book, store, tmp_path / f"report {students}")
        sizes.append(index.stat().st_size + sum(path.stat().st_size for path in (index.parent / "labs").iterdir()))
        pages = (index.parent / "submissions").iterdir()
        assert max(path.stat().st_size for path in pages) < 60_000
    assert (sizes[1] - sizes[0]) / (12 * 2) * 300 * 17 < 15e6

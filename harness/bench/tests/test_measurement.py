"""A benchmark's line is a measurement or an error that names what is wrong; repetitions become medians."""

from __future__ import annotations

import json

import pytest

from bench.measurement import BadLineError, Measurement, read_measurement, to_rows

GOOD: dict[str, object] = {"name": "product", "value": 1.5, "unit": "s", "peer": "plain g++", "ratio": 2.0}


def test_a_line_is_read() -> None:
    assert read_measurement(json.dumps(GOOD)) == Measurement("product", 1.5, "s", "plain g++", 2.0)


def test_a_measurement_may_have_no_peer() -> None:
    line = json.dumps({**GOOD, "peer": None, "ratio": None})
    assert read_measurement(line).ratio is None


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"value": float("nan")}, "value"),
        ({"value": "fast"}, "value"),
        ({"value": True}, "value"),
        ({"name": ""}, "name"),
        ({"ratio": None}, "peer and ratio"),
        ({"peer": None}, "peer and ratio"),
        ({"extra": 1}, "exactly"),
    ],
)
def test_a_wrong_member_is_named(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadLineError, match=complaint):
        read_measurement(json.dumps({**GOOD, **change}))


def test_prose_is_no_measurement() -> None:
    with pytest.raises(BadLineError, match="not JSON"):
        read_measurement("warming up")


def test_repetitions_become_the_median_and_the_range() -> None:
    runs = [[Measurement("product", value, "s", "peer", value / 2)] for value in (3.0, 1.0, 10.0)]
    (row,) = to_rows(runs, "bench/product")
    assert (row.value, row.ratio, row.lowest, row.highest, row.repetitions) == (3.0, 1.5, 1.0, 10.0, 3)


def test_a_benchmark_that_changes_its_unit_is_refused() -> None:
    runs = [[Measurement("product", 1.0, "s")], [Measurement("product", 1.0, "ms")]]
    with pytest.raises(BadLineError, match="product: unit"):
        to_rows(runs, "bench/product")

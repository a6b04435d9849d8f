"""The sentence names the largest difference, the lines of both sides, and what part of all it is."""

import pytest

from simtlab.compare.criteria import CriterionPair
from simtlab.compare.explanation import SAME, Hosts, largest_difference
from simtlab.compare.roles import pair_by_role
from simtlab.facts.counters import HostCounters
from simtlab.facts.model import Launch
from tests.example_facts import counters, facts_of, passed_facts
from tests.example_launches import access, argument, launch, shared

UNCOUNTED = Hosts(None, None)


def told(a: list[Launch], b: list[Launch], time_ratio: float | None = None, criteria: list[CriterionPair] = []) -> str:  # noqa: B006
    return largest_difference(pair_by_role(a, b), UNCOUNTED, criteria, time_ratio)


def reads(sectors: int, line: int, *, requests: int = 1000) -> list[Launch]:
    rest = argument("output", "write", line=line + 1)
    return [launch("k", argument("input", line=line, sectors=sectors, requests=requests), rest)]


def test_sectors_a_request_with_both_lines_and_the_part_in_time() -> None:
    sentence = told(reads(4, 11), reads(32, 14), 3.1)
    assert sentence == (
        "B reads `input` with 32 sectors a request at line 14; A with 4 at line 11: 8.0 × the traffic, "
        "nearly all of the 3.1 × in time."
    )


def test_the_costlier_side_comes_first_and_without_times_the_arrays_are_the_whole() -> None:
    assert told(reads(32, 14), reads(4, 11)).startswith(
        "A reads `input` with 32 sectors a request at line 14; B with 4"
    )
    assert told(reads(32, 14), reads(4, 11)).endswith("8.0 × the traffic, nearly all of the 4.5 × over all arrays.")


def test_requests_where_each_costs_the_same() -> None:
    sentence = told(reads(4, 11, requests=64000), reads(4, 14, requests=4000))
    assert "A reads `input` in 64,000 requests at line 11; B in 4,000 at line 14: 16.0 × the traffic" in sentence


def test_both_factors_where_both_differ() -> None:
    sentence = told(reads(32, 11, requests=2000), reads(4, 14))
    assert "in 2,000 requests of 32 sectors at line 11; B in 1,000 of 4 at line 14: 16.0 ×" in sentence


def test_time_that_goes_the_other_way_is_told() -> None:
    assert told(reads(4, 11), reads(32, 14), 0.5).endswith("8.0 × the traffic, yet A takes 2.0 × the time.")


def test_passes_through_shared_memory_by_both_names() -> None:
    a, b = ([launch("k", argument("x"), shared(name, wavefronts=n, line=7))] for name, n in (("tile", 32), ("s", 1)))
    assert (
        "A reads `tile` (B's `s`) with 32 wavefronts a request at line 7; B with 1 at line 7: 32.0 × the passes"
        in told(a, b)
    )


def test_lanes_that_meet_at_an_address() -> None:
    a = [launch("k", argument("sum", "atomic", line=3, sectors=1, same_address_lanes=32))]
    b = [launch("k", argument("sum", "atomic", line=9, sectors=1, same_address_lanes=1))]
    assert "A updates `sum` with 32 lanes at one address a request at line 3; B with 1 sector at line 9" in told(a, b)


def test_what_one_side_alone_does() -> None:
    b = [launch("k", argument("x"), access("scratch", "write", array=9, sectors=4, line=5, requests=50000))]
    assert "B writes `scratch` with 50,000 requests of 4 sectors at line 5, and A does not" in told(
        [launch("k", argument("x"))], b
    )


@pytest.mark.parametrize(
    ("totals", "words"),
    [
        ({"divergent_steps": 9000}, "A takes 9,000 steps with part of a warp's lanes; B 3,000: 3.0 × as many."),
        ({"barriers": 640}, "A waits at 640 barriers; B none."),
    ],
)
def test_where_memory_costs_the_same_the_kernels_totals_tell(totals: dict[str, int], words: str) -> None:
    less = {"divergent_steps": 3000} if "divergent_steps" in totals else {}
    assert told([launch("k", argument("x"), **totals)], [launch("k", argument("x"), **less)]) == words


def test_the_host_side_tells_what_kernels_do_not() -> None:
    same = pair_by_role(reads(4, 1), reads(4, 1))
    a, b = (HostCounters(**counters(HostCounters, bytes_to_device=size)) for size in (8000, 4000))
    assert largest_difference(same, Hosts(a, b), []) == "A copies 8,000 bytes to the device; B 4,000: 2.0 × as many."


def test_a_criterion_is_the_last_to_tell() -> None:
    [criterion, _] = facts_of(passed_facts()).fast.criteria
    better = criterion.model_copy(update={"value": 1.0, "fraction": 1.0})
    pair = CriterionPair(criterion.metric, criterion.argument, criterion, better)
    assert told(reads(4, 1), reads(4, 1), criteria=[pair]) == "B has a sector efficiency a of 1, A of 0.5."


def test_the_argument_whose_criteria_cost_points_comes_before_what_costs_more_traffic() -> None:
    def sums(sectors: int, requests: int) -> list[Launch]:
        added = argument("a", "atomic", line=9, sectors=1, requests=requests)
        return [launch("k", argument("input", sectors=sectors), added)]

    [criterion, _] = facts_of(passed_facts()).fast.criteria
    worse = criterion.model_copy(update={"value": 0.125, "fraction": 0.0})
    pair = CriterionPair(criterion.metric, criterion.argument, criterion, worse)
    sentence = told(sums(8, 10), sums(4, 160), criteria=[pair])
    assert sentence == (
        "B updates `a` in 160 requests at line 9; A in 10 at line 9: 16.0 × the atomic traffic; "
        "it costs B 30 of 100 points."
    )


def test_shared_memory_beside_an_argument_tells_where_the_argument_does_not() -> None:
    a, b = ([launch("k", argument("a"), shared("s", wavefronts=n, line=3))] for n in (1, 2))
    [criterion, _] = facts_of(passed_facts()).fast.criteria
    pair = CriterionPair("shared_wavefronts_per_warp", "a", criterion, criterion.model_copy(update={"fraction": 0.0}))
    assert told(a, b, criteria=[pair]).endswith(
        "2.0 × the passes, nearly all of the 1.2 × over all arrays; it costs B 30 of 100 points."
    )


def test_another_memory_at_the_same_cost() -> None:
    b = [launch("k", access("c", space="constant", array=5, derived_from=["f"], line=2, distinct_words=1))]
    sentence = told([launch("k", argument("f", sectors=1, line=7))], b)
    assert sentence == "A reads `f` in global memory at line 7; B in constant memory at line 2."


def test_one_lane_of_a_warp_is_told() -> None:
    one = [launch("k", argument("x", sectors=1, lanes=1, line=4, requests=32000))]
    assert "A reads `x` in 32,000 requests of 1 sector at line 4 by 1 of 32 lanes; B in 1,000 of 4" in told(
        one, [launch("k", argument("x", line=2))]
    )


def test_equal_counters_are_said_to_be_equal() -> None:
    assert told(reads(4, 1), reads(4, 9)) == SAME
    assert told([launch("k")], [launch("q")]) == SAME

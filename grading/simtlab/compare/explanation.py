"""The largest difference between two submissions, in one sentence with its lines.

What costs points comes first: the argument whose criteria differ most, where its accesses tell why. Else it is what
costs most: sectors, and passes through shared memory and constants, weighed alike (`cost_of`). Where memory costs the
same on both sides, a kernel's other totals tell the two apart, then the host side, then a criterion of the lab.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from simtlab.compare.criteria import CriterionPair
from simtlab.compare.roles import Pairing, SourcePlace, cost_of
from simtlab.compare.uses import KERNEL_COUNTERS, Figure, Use, lines_text, role_name, uses_of
from simtlab.facts.counters import HostCounters, RequestCounters
from simtlab.text import number_text, points_text

_WORTH_NAMING = 0.02
"""Of the costlier side's whole cost: a smaller difference explains nothing."""
_FACTOR = 1.15
"""From which ratio on one of two factors, requests and what each costs, is told."""
_FEWEST_POINTS = 1.0
"""Of 100, that a criterion's difference must cost to be told first."""
_MEETING = "lane at one address"
_VERBS = {"read": "reads", "write": "writes", "atomic": "updates"}
_KERNEL_WORDS = {
    "steps": "enters {} basic blocks",
    "divergent_steps": "takes {} steps with part of a warp's lanes",
    "barriers": "waits at {} barriers",
    "warp_value_primitives": "exchanges values between lanes {} times",
    "warp_votes": "votes {} times",
    "working_warps": "has {} warps that ask for memory",
    "foreign_bytes": "reads {} bytes that other threads left in shared memory",
}
_HOST_WORDS = {
    "bytes_to_device": "copies {} bytes to the device",
    "bytes_to_host": "copies {} bytes to the host",
    "redundant_bytes": "copies {} bytes that were there already",
    "pages_to_device": "has {} pages moved to the device",
    "pages_to_host": "has {} pages moved to the host",
    "prefetched_pages": "prefetches {} pages",
    "overlapped_copy_bytes": "copies {} bytes while a kernel runs",
    "leaked_bytes": "leaves {} bytes allocated",
    "allocated_bytes": "allocates {} bytes",
    "launches": "launches {} kernels",
    "api_calls": "calls CUDA {} times",
    "synchronisations": "waits for the device {} times",
}
SAME = "Every counter is the same."


@dataclass(frozen=True)
class Hosts:
    """The host counters of both sides; None of a side that was not counted."""

    a: HostCounters | None
    b: HostCounters | None


def largest_difference(
    pairing: Pairing, hosts: Hosts, criteria: Sequence[CriterionPair], time_ratio: float | None = None
) -> str:
    """One sentence of the largest difference between B and A. `time_ratio` is B's time over A's."""
    uses = uses_of(pairing)
    totals = sum(use.costs[0] for use in uses), sum(use.costs[1] for use in uses)
    if graded := _of_points(uses, criteria):
        use, points = graded
        costs = f"; it costs {'B' if points < 0 else 'A'} {points_text(round(abs(points), 2))} of 100 points"
        return f"{_use_sentence(use)}{_share(use, totals, time_ratio)}{costs}."
    largest = max(uses, key=_gap, default=None)
    if largest and _gap(largest) > _WORTH_NAMING * max(totals):
        return f"{_use_sentence(largest)}{_share(largest, totals, time_ratio)}."
    if moved := next((use for use in uses if _moved(use)), None):
        return f"{_use_sentence(moved)}."
    return (
        _of_totals(_kernel_totals(pairing), _KERNEL_WORDS)
        or _of_totals(_host_totals(hosts), _HOST_WORDS)
        or _of_criteria(criteria)
        or (SAME if not any(one.differs for use in uses for one in use.figures) else "No difference is worth naming.")
    )


def _gap(use: Use) -> int:
    return abs(use.costs[1] - use.costs[0])


def _costlier(use: Use) -> int:
    return 1 if use.costs[1] > use.costs[0] else 0


def _of_points(uses: Sequence[Use], criteria: Sequence[CriterionPair]) -> tuple[Use, float] | None:
    """The use of the argument whose criteria lose most points on the side where that use costs more, or in another
    memory, and the points that B gains by them.
    Of criteria that count shared memory, it is that of the kernels that use the argument."""
    shared = [one for one in criteria if one.metric.startswith("shared_")]
    for find, counted in ((_of_argument, criteria), (_beside_argument, shared)):
        for name, points in _points_by_argument(counted):
            if found := find(uses, name, 1 if points < 0 else 0):
                return max(found, key=_gap), points
    return None


def _points_by_argument(criteria: Sequence[CriterionPair]) -> list[tuple[str, float]]:
    """What B gains by the criteria of each argument, where it is no trifle; the most first."""
    gained: dict[str, float] = {}
    for one in criteria:
        if one.argument:
            gained[one.argument] = gained.get(one.argument, 0.0) + one.gained
    least = max([_FEWEST_POINTS, *(abs(points) / 4 for points in gained.values())])
    ranked = sorted(gained.items(), key=lambda item: -abs(item[1]))
    return [(name, points) for name, points in ranked if abs(points) >= least]


def _of_argument(uses: Sequence[Use], name: str, loser: int) -> list[Use]:
    of_name = [use for use in uses if name in _given_names(use)]
    return _costly(of_name, loser) or [use for use in of_name if _moved(use)]


def _moved(use: Use) -> bool:
    return all(use.spaces) and use.spaces[0] != use.spaces[1]


def _beside_argument(uses: Sequence[Use], name: str, loser: int) -> list[Use]:
    kernels = {kernel for use in uses if name in _given_names(use) for kernel in _kernels(use, loser)}
    return [use for use in _costly(uses, loser) if not _given_names(use) and kernels & _kernels(use, loser)]


def _costly(uses: Sequence[Use], loser: int) -> list[Use]:
    return [use for use in uses if use.costs[loser] > _FACTOR * use.costs[1 - loser]]


def _given_names(use: Use) -> set[str]:
    return {half.name for half in use.pair.halves if half.given}


def _kernels(use: Use, side: int) -> set[int]:
    one = use.pair.b if side else use.pair.a
    return {kernel for kernel, _ in one.accesses} if one else set()


def _use_sentence(use: Use) -> str:
    """The costlier side first."""
    more = _costlier(use)
    less = 1 - more
    side, other = "AB"[more], "AB"[less]
    costlier, cheaper = use.counters[more], use.counters[less]
    assert costlier is not None  # noqa: S101 - it costs more than nothing
    subject = f"{side} {_VERBS[use.kind]} {_named(use, more)}"
    here, there = _at(use.places[more]) + _few_lanes(costlier, cheaper), _at(use.places[less])
    if cheaper is None or not use.costs[less]:
        how = _size(costlier, use.spaces[more])
        return f"{subject} with {how}{here}, and {other} does not"
    if _moved(use):
        return f"{subject} in {use.spaces[more]} memory{here}; {other} in {use.spaces[less]} memory{there}"
    ratio = use.costs[more] / use.costs[less]
    requests = costlier.requests / cheaper.requests
    figure, unit = _per_request(costlier, use.spaces[more])
    lower, lower_unit = _per_request(cheaper, use.spaces[less])
    each = figure / lower if lower else math.inf
    lower_text = number_text(round(lower, 2)) if unit == lower_unit else _amount(lower, lower_unit)
    if max(requests, 1 / requests) < _FACTOR:
        told = f"with {_amount(figure, unit)} a request{here}; {other} with {lower_text}{there}"
    elif unit == lower_unit and max(each, 1 / each) < _FACTOR:
        told = f"in {number_text(costlier.requests)} requests{here}; {other} in {number_text(cheaper.requests)}{there}"
    else:
        told = (
            f"in {number_text(costlier.requests)} requests of {_amount(figure, unit)}{here}; {other} in "
            f"{number_text(cheaper.requests)} of {lower_text}{there}"
        )
    return f"{subject} {told}: {_times(ratio)} the {_what(use, unit)}"


def _named(use: Use, side: int) -> str:
    """The array by the name that this side has for it, and the other's where that is another."""
    own, other = (use.pair.b, use.pair.a) if side else (use.pair.a, use.pair.b)
    if own is None or other is None or own.given or own.name == other.name:
        return f"`{role_name(use.pair)}`"
    return f"`{own.name or 'unnamed'}` ({'A' if side else 'B'}'s `{other.name or 'unnamed'}`)"


def _per_request(counters: RequestCounters, space: str) -> tuple[float, str]:
    cost = cost_of(space, counters)
    unit = "wavefront" if space in {"shared", "constant"} else "sector"
    if cost == counters.same_address_lanes and counters.same_address_lanes > counters.requests:
        unit = _MEETING
    return cost / counters.requests, unit


def _amount(value: float, unit: str) -> str:
    """`1 sector`, `32 lanes at one address`."""
    number = number_text(round(value, 2))
    return f"{number} {unit if number == '1' else unit.replace(' ', 's ', 1) if ' ' in unit else unit + 's'}"


def _size(counters: RequestCounters, space: str) -> str:
    return f"{number_text(counters.requests)} requests of {_amount(*_per_request(counters, space))}"


def _few_lanes(costlier: RequestCounters, cheaper: RequestCounters | None) -> str:
    """What makes many requests of few bytes: hardly a lane takes part."""
    lanes = costlier.lanes / costlier.requests
    if cheaper is None or not cheaper.requests or 2 * lanes > cheaper.lanes / cheaper.requests:
        return ""
    return f" by {number_text(round(lanes, 1))} of 32 lanes"


def _what(use: Use, unit: str) -> str:
    if use.kind == "atomic":
        return "turns at an address" if unit == _MEETING else "atomic traffic"
    return "passes" if unit == "wavefront" else "traffic"


def _share(use: Use, totals: tuple[int, int], time_ratio: float | None) -> str:
    """`, most of the 3.1 × in time`: what part the difference has in all; nothing where the rest goes the other way."""
    own, whole = use.costs[1] - use.costs[0], totals[1] - totals[0]
    if abs(own) <= _WORTH_NAMING * max(totals):
        return ""
    part = "nearly all of" if own >= 0.9 * whole else "most of" if own >= 0.5 * whole else "part of"
    if whole < 0:
        part = "nearly all of" if own <= 0.9 * whole else "most of" if own <= 0.5 * whole else "part of"
    if time_ratio is not None and abs(math.log(time_ratio)) > math.log(1.01):
        if (time_ratio > 1) != (own > 0):
            return f", yet {'B' if time_ratio > 1 else 'A'} takes {_times(max(time_ratio, 1 / time_ratio))} the time"
        return f", {part} the {_times(max(time_ratio, 1 / time_ratio))} in time"
    if own * whole <= 0 or not all(totals):
        return ""
    ratio = max(totals) / min(totals)
    return f", {part} the {_times(ratio)} over all arrays" if ratio >= 1.05 else ""


def _at(places: Sequence[SourcePlace]) -> str:
    known = [place for place in places if place.line]
    return f" at {lines_text(known[:1])}" if known else ""


def _kernel_totals(pairing: Pairing) -> list[Figure]:
    a, b = ([one for one in side if one] for side in ([p.a for p in pairing.kernels], [p.b for p in pairing.kernels]))
    if not a or not b:
        return []
    return [
        Figure(name, sum(one.total(name) for one in a), sum(one.total(name) for one in b)) for name in KERNEL_COUNTERS
    ]


def _host_totals(hosts: Hosts) -> list[Figure]:
    if hosts.a is None or hosts.b is None:
        return []
    return [Figure(name, getattr(hosts.a, name), getattr(hosts.b, name)) for name in _HOST_WORDS]


def _of_totals(figures: Sequence[Figure], words: dict[str, str]) -> str:
    """The total whose two values are furthest apart."""

    def apart(one: Figure) -> float:
        return abs(math.log(((one.b or 0) + 1) / ((one.a or 0) + 1)))

    largest = max(figures, key=apart, default=None)
    if largest is None or apart(largest) < math.log(1.05):
        return ""
    more, less = ("B", "A") if (largest.b or 0) > (largest.a or 0) else ("A", "B")
    high, low = max(largest.a or 0, largest.b or 0), min(largest.a or 0, largest.b or 0)
    times = f": {_times(high / low)} as many" if low else ""
    return (
        f"{more} {words[largest.name].format(number_text(high))}; {less} {number_text(low) if low else 'none'}{times}."
    )


def _of_criteria(criteria: Sequence[CriterionPair]) -> str:
    largest = max(criteria, key=lambda one: abs(one.gained), default=None)
    if largest is None or not largest.gained:
        return ""
    a, b = (number_text(one.value) if one else "none" for one in (largest.a, largest.b))
    return f"B has a {largest.name} of {b}, A of {a}."


def _times(ratio: float) -> str:
    return f"{ratio:.1f} ×" if ratio < 100 else f"{ratio:,.0f} ×"

"""How a class solved a lab: submissions grouped by what their counters look like, whatever their text is.

A submission's fingerprint is what it asks of the memory system for the lab: for each argument and kind of access the
requests and what they cost; the same for all shared memory, for constants, and for device memory of its own; and
barriers and exchanges between lanes per launch. Names, lines and the number of kernels say nothing of it. Two
fingerprints are one strategy where each of these quantities is alike up to `TOLERANCE`; a wider block or another order
of loops stays within, another data layout, tile or access pattern does not.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from simtlab.compare.criteria import ending
from simtlab.compare.measurement import Measurement
from simtlab.compare.roles import Array, arrays_of, cost_of, kernels_of
from simtlab.facts.model import AccessKind, Launch
from simtlab.text import number_text, points_text

TOLERANCE = 1.25
"""Quantities of one strategy differ by this factor at most from those of its example."""
_SMALL = 0.02
"""Of the whole cost: less says nothing of a strategy."""
_WORDS: dict[AccessKind, str] = {"read": "reads", "write": "writes", "atomic": "updates"}
_POOLS = {"shared": "shared memory", "constant": "constants", "local": "indexed local arrays"}


@dataclass(frozen=True)
class Facet:
    """One kind of access to one argument, or to one memory of the submission's own."""

    what: str
    """An argument's name, or a memory."""
    kind: AccessKind
    requests: int
    cost: int

    @property
    def words(self) -> str:
        """`reads input with 4 sectors a request`."""
        figure = number_text(round(self.cost / self.requests, 1))
        unit = "wavefront" if self.what in _POOLS.values() else "sector"
        return f"{_WORDS[self.kind]} {self.what} with {figure} {unit}{'' if figure == '1' else 's'} a request"


@dataclass(frozen=True)
class Fingerprint:
    """What a submission asks of the memory system, without its names."""

    facets: tuple[Facet, ...]
    """The costliest first."""
    barriers: int
    exchanges: int

    def alike(self, other: "Fingerprint") -> bool:
        """Whether both are one strategy."""
        mine, theirs = self.large(), other.large()
        small = _SMALL * min(self.cost, other.cost)
        for key in mine.keys() | theirs.keys():
            a, b = mine.get(key), theirs.get(key)
            if a is None or b is None:
                if (a or b or 0) > small:
                    return False
            elif not _near(a, b):
                return False
        return _near(self.barriers, other.barriers) and _near(self.exchanges, other.exchanges)

    @property
    def cost(self) -> int:
        """Of all accesses."""
        return sum(one.cost for one in self.facets)

    @property
    def words(self) -> str:
        """`reads a 4 sectors a request, writes shared memory …; barriers`: the costliest first."""
        told = [one.words for one in self.facets if one.cost > _SMALL * self.cost][:4]
        told += ["barriers"] if self.barriers else []
        told += ["exchanges between lanes"] if self.exchanges else []
        return "; ".join(told) or "no access to memory that all threads share"

    def large(self) -> dict[tuple[str, AccessKind, str], int]:
        """The quantities that count."""
        found: dict[tuple[str, AccessKind, str], int] = {}
        for one in self.facets:
            found[one.what, one.kind, "requests"] = one.requests
            found[one.what, one.kind, "cost"] = one.cost
        return found


@dataclass(frozen=True)
class Strategy:
    """Submissions whose counters look alike."""

    words: str
    members: list[Measurement]
    """The example first: the one with the best score, then by name."""

    @property
    def example(self) -> Measurement:
        """The one to look at."""
        return self.members[0]

    @property
    def scores(self) -> tuple[float, float] | None:
        """The least and the greatest score; None where nothing was measured."""
        known = [one.score for one in self.members if one.score is not None]
        return (min(known), max(known)) if known else None

    @property
    def scores_text(self) -> str:
        """`95`, `90 to 95`, or a dash."""
        if self.scores is None:
            return "–"
        return " to ".join(dict.fromkeys(points_text(one) for one in self.scores))


def fingerprint(launches: Sequence[Launch]) -> Fingerprint:
    """The fingerprint of a submission's launches."""
    sums: dict[tuple[str, AccessKind], tuple[int, int]] = {}
    kernels = kernels_of(launches)
    for array in arrays_of(kernels):
        for _, access in array.accesses:
            key = (_what(array, access.space), access.access)
            requests, cost = sums.get(key, (0, 0))
            sums[key] = requests + access.requests, cost + cost_of(access.space, access)
    facets = [Facet(*key, requests, cost) for key, (requests, cost) in sums.items() if requests]
    return Fingerprint(
        tuple(sorted(facets, key=lambda one: (-one.cost, one.what, one.kind))),
        sum(one.total("barriers") for one in kernels),
        sum(one.total("warp_value_primitives") for one in kernels),
    )


def strategies_of(measurements: Iterable[Measurement]) -> list[Strategy]:
    """The class's strategies, the commonest first; whoever has no counters stands with those who ended alike."""
    ranked = sorted(measurements, key=lambda one: (-(one.score or 0), one.student))
    groups: list[tuple[Fingerprint, list[Measurement]]] = []
    uncounted: dict[str, list[Measurement]] = {}
    for one in ranked:
        if not one.counted:
            uncounted.setdefault(f"no counters: {ending(one)}", []).append(one)
            continue
        own = fingerprint(one.launches)
        group = next((members for known, members in groups if known.alike(own)), None)
        if group is None:
            groups.append((own, [one]))
        else:
            group.append(one)
    found = [Strategy(own.words, members) for own, members in groups]
    found.sort(key=lambda one: (-len(one.members), one.example.student))
    return found + [Strategy(words, members) for words, members in sorted(uncounted.items())]


def _what(array: Array, space: str) -> str:
    if array.given:
        return f"`{array.name}`"
    if space in _POOLS:
        return _POOLS[space]
    return f"a copy of `{next(iter(array.origins))}`" if len(array.origins) == 1 else "device memory of its own"


def _near(a: int, b: int) -> bool:
    if not a or not b:
        return a == b
    return abs(math.log(a / b)) <= math.log(TOLERANCE)

"""Pairs of a class by what their texts have in common, rare text first.

A fingerprint that many have weighs little: it is how one writes such a kernel. One that two have weighs most. What the
course gave out weighs nothing, and what stands in a known step of the textbook is counted apart: two students who wrote
the same step share its text, and nothing else. A pair's *share* is the weight of what both have over the weight of all
that the one of them with less has of its own.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from simtlab.compare.strategies import Fingerprint
from simtlab.similarity.fingerprints import Place, every_run, fingerprints

LOOK = 0.4
"""From this share on a person should look at the two."""
LEAST = 6
"""Shared fingerprints below this number are too little to say anything."""
DIFFERING = 0.5
"""What the share counts for where the two ask other things of the memory system: a copy asks what its original asks."""
SAME_STEP = 0.8
"""Part of the shared text that stands in one known step, from which on the pair is listed as that step."""

_DIFFER = "differ"


@dataclass(frozen=True)
class Work:
    """One student's text in one lab."""

    student: str
    text: str
    counters: Fingerprint | None = None
    """What it asks of the memory system; none where it was not counted."""


@dataclass(frozen=True)
class Pair:
    """Two students, and what both have."""

    one: str
    other: str
    share: float
    """Of the own text of the one with less, by weight: 0 to 1."""
    rare: int
    """Shared fingerprints that stand in no known step."""
    step: str
    """The known step that most of what both have stands in; empty where none has `SAME_STEP` of it."""
    counters: str
    """`equal`, `one strategy`, `differ`, or a dash where one was not counted."""
    places: tuple[list[Place], list[Place]] = field(default=([], []), repr=False)
    """The lines of what both have, steps included, in either text."""

    @property
    def what(self) -> str:
        """`look`, `the same step: tiled`, or empty: nothing that a person need look at."""
        if self.step:
            return f"the same step: {self.step}"
        return "look" if self.evidence >= LOOK else ""

    @property
    def evidence(self) -> float:
        """What pairs are ranked by: the share, less where the counters differ; 0 where too little is shared, or where
        a known step has most of it."""
        if self.step or self.rare < LEAST:
            return 0.0
        return self.share * (DIFFERING if self.counters == _DIFFER else 1)


def pairs_of(works: Sequence[Work], given: Iterable[str], steps: Mapping[str, str]) -> list[Pair]:
    """All pairs of a class that share something, the largest share first. `given` are documents that every student has;
    `steps` are the textbook's kernels by name."""
    released = every_run(given)
    known = {name: every_run([text]) for name, text in steps.items()}
    stepped: set[int] = set().union(*known.values())
    prints = {one.student: _without(fingerprints(one.text), released) for one in works}
    weight = _weights(prints, stepped)
    own = {student: sum(weight(number) for number in found) for student, found in prints.items()}
    pairs = []
    for one, other in combinations(works, 2):
        mine, theirs = prints[one.student], prints[other.student]
        both = mine.keys() & theirs.keys()
        if not both:
            continue
        rare = both - stepped
        least = min(own[one.student], own[other.student])
        share = sum(weight(number) for number in rare) / least if least else 0.0
        places = [place for number in both for place in mine[number]], [p for number in both for p in theirs[number]]
        step = _step(both, known)
        counters = _counters(one.counters, other.counters)
        pairs.append(Pair(one.student, other.student, min(share, 1.0), len(rare), step, counters, places))
    return sorted(pairs, key=lambda pair: (-pair.evidence, -pair.rare, pair.one, pair.other))


def groups_of(pairs: Iterable[Pair]) -> list[list[Pair]]:
    """Pairs to look at, those that have a student in common together; the largest share first."""
    groups: list[list[Pair]] = []
    for pair in pairs:
        if pair.what != "look":
            continue
        near = [group for group in groups if {pair.one, pair.other} & students_of(group)]
        merged = [one for group in near for one in group] + [pair]
        groups = [group for group in groups if group not in near] + [sorted(merged, key=lambda one: -one.share)]
    return sorted(groups, key=lambda group: -group[0].share)


def students_of(group: Iterable[Pair]) -> set[str]:
    """Everybody in a group."""
    return {name for pair in group for name in (pair.one, pair.other)}


def _without(found: dict[int, list[Place]], released: set[int]) -> dict[int, list[Place]]:
    return {number: places for number, places in found.items() if number not in released}


def _weights(prints: Mapping[str, dict[int, list[Place]]], stepped: set[int]) -> Callable[[int], float]:
    """1 for what one or two of the class have, less for more, 0 for everybody's and for a known step's."""
    counts = Counter(number for found in prints.values() for number in found)
    size = max(len(prints), 3)

    def weight(number: int) -> float:
        if number in stepped:
            return 0.0
        return math.log(size / max(counts[number], 2)) / math.log(size / 2)

    return weight


def _step(both: set[int], known: Mapping[str, set[int]]) -> str:
    best = max(known, key=lambda name: len(both & known[name]), default="")
    return best if best and len(both & known[best]) >= SAME_STEP * len(both) else ""


def _counters(one: Fingerprint | None, other: Fingerprint | None) -> str:
    if one is None or other is None:
        return "–"
    if (one.facets, one.barriers, one.exchanges) == (other.facets, other.barriers, other.exchanges):
        return "equal"
    return "one strategy" if one.alike(other) else _DIFFER

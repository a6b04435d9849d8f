"""Which kernels and arrays of two submissions are the same to the lab, whatever the two call them.

A name decides only where it is the lab's: an argument of the entry is called alike everywhere. All else is paired by
evidence. An array: the arguments whose bytes it holds, the arguments that stand in one line with it, the kernels that
use it and how, and the width, number and pattern of its accesses. A kernel: the arguments that it reads and writes, its
place among the launches, its shape and work. Each piece of evidence agrees to a degree from 0 to 1; the weighted mean
is the pair's likeness. Kernels are evidence for arrays and arrays for kernels, so both are paired twice.

The most alike are paired first, equals by the order of their accesses in the source. A pair is sure when nothing else
is nearly as like either of its halves; otherwise it is kept, with the reason for the doubt.
"""

import math
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from simtlab.facts.counters import RequestCounters
from simtlab.facts.model import Access, AccessKind, Launch


class Named(Protocol):
    """A kernel or an array."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)
S = TypeVar("S")
KINDS: tuple[AccessKind, ...] = ("read", "write", "atomic")
_LEAST = 0.4
"""Likeness below which two are nothing to each other."""
_SURE = 0.6
"""Likeness from which a pair needs no doubt."""
_LEAD = 0.04
"""How much more alike than any rival a sure pair is."""
_MOST = 64
"""Kernels or arrays of a side that are paired: beyond, no likeness tells them apart, and every pair costs time."""
_OCTAVES = 4.0
"""Quantities that differ by this many doublings have nothing in common."""


@dataclass(frozen=True)
class SourcePlace:
    """A line of a submission's source."""

    file: str
    line: int


@dataclass(frozen=True)
class Array:
    """An array of one submission with all accesses to it."""

    name: str
    memory: str
    """`device` (global memory, constants, textures), `shared` or `local`: what can take another's role."""
    given: bool
    """An argument of the entry: its name is the lab's."""
    origins: frozenset[str]
    """Arguments whose bytes it may hold; of an argument itself."""
    accesses: tuple[tuple[int, Access], ...]
    """Each with the place of its kernel among the submission's kernels."""

    @cached_property
    def by_kind(self) -> dict[AccessKind, tuple[Access, ...]]:
        """The accesses of each kind that there is."""
        found = {kind: tuple(a for _, a in self.accesses if a.access == kind) for kind in KINDS}
        return {kind: accesses for kind, accesses in found.items() if accesses}

    def counters(self, kind: AccessKind) -> RequestCounters | None:
        """All accesses of the kind added up."""
        return summed(self.by_kind.get(kind, ()))

    def places(self, kind: AccessKind) -> list[SourcePlace]:
        """The lines of these accesses, the one that costs most first."""
        costs: dict[SourcePlace, int] = {}
        for one in self.by_kind.get(kind, ()):
            place = SourcePlace(one.file, one.line)
            costs[place] = costs.get(place, 0) + cost_of(one.space, one)
        return sorted(costs, key=lambda place: (-costs[place], place.file, place.line))

    @property
    def space(self) -> str:
        """Where most of its accesses go."""
        sizes: dict[str, int] = {}
        for _, one in self.accesses:
            sizes[one.space] = sizes.get(one.space, 0) + one.requests
        return max(sizes, key=lambda name: sizes[name])


@dataclass(frozen=True)
class Kernel:
    """All launches of one kernel."""

    name: str
    place: int
    """Among the submission's kernels, by first launch, from 0."""
    launches: tuple[Launch, ...]

    def total(self, counter: str) -> int:
        """A counter of the launches, added up."""
        return sum(getattr(one, counter) for one in self.launches)

    @property
    def threads(self) -> int:
        """Of all launches."""
        return sum(one.times * math.prod(one.grid) * math.prod(one.block) for one in self.launches)


@dataclass(frozen=True)
class Pair(Generic[T]):
    """What has the same role on both sides; None where a side has nothing of that role."""

    a: T | None
    b: T | None
    doubt: str = ""
    """Why it may be wrong; empty of a sure pair, and of what one side alone has."""

    @property
    def sure(self) -> bool:
        """Whether nothing else is nearly as like either half."""
        return not self.doubt

    @property
    def both(self) -> tuple[T, T] | None:
        """Both halves, where there are two."""
        return None if self.a is None or self.b is None else (self.a, self.b)

    @property
    def halves(self) -> list[T]:
        """A's half and B's, those that there are."""
        return [one for one in (self.a, self.b) if one is not None]


@dataclass(frozen=True)
class Pairing:
    """Everything of both sides, each once: in pairs, or alone."""

    kernels: list[Pair[Kernel]]
    arrays: list[Pair[Array]]
    """The lab's arguments first, then the arrays of the submissions' own, shared ones last."""


def pair_by_role(a: Sequence[Launch], b: Sequence[Launch]) -> Pairing:
    """The kernels and arrays of two submissions' launches, paired by what they are to the lab."""
    kernels_a, kernels_b = kernels_of(a), kernels_of(b)
    arrays_a, arrays_b = arrays_of(kernels_a), arrays_of(kernels_b)
    arrays = _same_arguments(arrays_a, arrays_b)
    kernels: list[Pair[Kernel]] = []
    for _ in range(2):
        kernels = _kernel_pairs(_uses_of(kernels_a, arrays_a, arrays), _uses_of(kernels_b, arrays_b, arrays))
        arrays = _array_pairs(_signs_of(arrays_a, kernels_a, kernels), _signs_of(arrays_b, kernels_b, kernels))
    return Pairing(kernels, sorted(arrays, key=_reading_order))


def kernels_of(launches: Sequence[Launch]) -> list[Kernel]:
    """The kernels in the order of their first launches."""
    by_name: dict[str, list[Launch]] = {}
    for one in launches:
        by_name.setdefault(one.kernel, []).append(one)
    return [Kernel(name, place, tuple(group)) for place, (name, group) in enumerate(by_name.items())]


def arrays_of(kernels: Sequence[Kernel]) -> list[Array]:
    """All arrays that the kernels touch. Local memory counts where lanes index it differently: everything else of it
    is the compiler's choice."""
    found: dict[tuple[object, ...], list[tuple[int, Access]]] = {}
    for kernel in kernels:
        for launch in kernel.launches:
            for one in launch.accesses:
                if one.space != "local" or one.indexed_bytes:
                    found.setdefault(_identity(kernel, one), []).append((kernel.place, one))
    return [_array(accesses) for accesses in found.values()]


def cost_of(space: str, counters: RequestCounters) -> int:
    """What requests to this memory cost: sectors, or passes where lanes meet at an address or in a bank. An H200 moves
    about as many sectors as wavefronts per second, so both count alike."""
    if space == "shared":
        return max(counters.wavefronts, counters.same_address_lanes)
    if space == "constant":
        return counters.distinct_words  # a pass for each
    if space == "local":
        return counters.indexed_bytes // 32
    return max(counters.sectors, counters.same_address_lanes)


def summed(counters: Iterable[RequestCounters]) -> RequestCounters | None:
    """The counters added up; None of nothing."""
    total: RequestCounters | None = None
    for one in counters:
        plain = RequestCounters(**{name: getattr(one, name) for name in RequestCounters.model_fields})
        total = plain if total is None else total.plus(plain)
    return total


def _identity(kernel: Kernel, one: Access) -> tuple[object, ...]:
    if one.array.given:
        return ("given", one.variable)
    if one.space in {"shared", "local"} or not one.array.id:
        return (one.space, kernel.place, one.variable)
    return ("own", one.array.id)


def _array(accesses: list[tuple[int, Access]]) -> Array:
    first = accesses[0][1]
    origins = {first.variable} if first.array.given else {name for _, one in accesses for name in one.derived_from}
    memory = first.space if first.space in {"shared", "local"} else "device"
    return Array(first.variable, memory, first.array.given, frozenset(origins), tuple(accesses))


def _same_arguments(a: list[Array], b: list[Array]) -> list[Pair[Array]]:
    of_b = {one.name: one for one in b if one.given}
    return [Pair(one, of_b[one.name]) for one in a if one.given and one.name in of_b]


def _reading_order(pair: Pair[Array]) -> tuple[object, ...]:
    one = pair.halves[-1]
    kernel, first = one.accesses[0]
    given = any(half.given for half in pair.halves)
    return (not given, one.memory != "device", kernel, first.file, first.line)


# Evidence: (weight, how much it agrees from 0 to 1); None where neither side has any.
_Evidence = tuple[float, float | None]


def _likeness(evidence: Iterable[_Evidence]) -> float:
    told = [(weight, agreement) for weight, agreement in evidence if agreement is not None]
    return sum(weight * agreement for weight, agreement in told) / sum(weight for weight, _ in told) if told else 0.0


def _overlap(a: Set[object], b: Set[object]) -> float | None:
    return len(a & b) / len(a | b) if a or b else None


def _near(a: float, b: float) -> float | None:
    if not a and not b:
        return None
    return max(0.0, 1 - abs(math.log2(a / b)) / _OCTAVES) if a and b else 0.0


def _mean(values: Iterable[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    return sum(known) / len(known) if known else None


def _numbers(pairs: Sequence[Pair[T]]) -> dict[int, int]:
    """The number of the pair that each half stands in, by the half's `id`."""
    return {id(half): number for number, pair in enumerate(pairs) for half in pair.halves}


@dataclass(frozen=True)
class _KernelSigns:
    """What a kernel shows of its role."""

    of: Kernel
    uses: Set[object]
    """(kind of access, role of the array)."""
    place: float
    """From 0 to below 1."""
    requests: int


def _uses_of(kernels: list[Kernel], arrays: list[Array], paired: Sequence[Pair[Array]]) -> list[_KernelSigns]:
    roles = _numbers(paired)
    uses: list[set[object]] = [set() for _ in kernels]
    for one in arrays:
        for kernel, access in one.accesses:
            if id(one) in roles:
                uses[kernel].add((access.access, roles[id(one)]))
    return [_KernelSigns(one, uses[one.place], one.place / len(kernels), _requests(one)) for one in kernels]


def _requests(kernel: Kernel) -> int:
    return sum(one.requests for launch in kernel.launches for one in launch.accesses if one.space != "local")


def _kernel_pairs(a: list[_KernelSigns], b: list[_KernelSigns]) -> list[Pair[Kernel]]:
    def alike(x: _KernelSigns, y: _KernelSigns) -> float:
        return _likeness(
            (
                (4, _overlap(x.uses, y.uses)),
                (2, 1 - abs(x.place - y.place)),
                (1, _near(x.of.threads, y.of.threads)),
                (1, _near(x.requests, y.requests)),
                (1, float(bool(x.of.total("shared_bytes")) == bool(y.of.total("shared_bytes")))),
            )
        )

    pairs = _matched(a, b, alike, lambda one: one.of, lambda one: one.place)
    if len(a) == len(b) == 1 and len(pairs) == 1:
        return [Pair(pairs[0].a, pairs[0].b)]  # the only kernels, however little they are alike
    return pairs


@dataclass(frozen=True)
class _ArraySigns:
    """What an array shows of its role."""

    of: Array
    beside: Set[object]
    """(own kind of access, another's, its name) for the arguments that stand in one line with it."""
    uses: Set[object]
    """(kind of access, role of the kernel)."""
    widths: Set[object]
    lanes: dict[AccessKind, int]
    words: dict[AccessKind, float]
    """Different words in a request: what tells a row that lanes read side by side from an element that all share."""
    order: float
    """Among the arrays of its memory by the lines of the accesses, from 0 to below 1."""


def _signs_of(arrays: list[Array], kernels: list[Kernel], paired: Sequence[Pair[Kernel]]) -> list[_ArraySigns]:
    roles = _numbers(paired)
    arguments: dict[tuple[int, SourcePlace], set[tuple[str, str]]] = {}
    for one in arrays:
        for kernel, access in one.accesses:
            if one.given:
                arguments.setdefault((kernel, SourcePlace(access.file, access.line)), set()).add(
                    (access.access, one.name)
                )
    order = _order_of(arrays)
    return [
        _ArraySigns(
            of=one,
            beside={
                (access.access, *other)
                for kernel, access in one.accesses
                for other in arguments.get((kernel, SourcePlace(access.file, access.line)), ())
            },
            uses={(access.access, roles[id(kernels[kernel])]) for kernel, access in one.accesses},
            widths={access.width for _, access in one.accesses},
            lanes={kind: sum(access.lanes for access in of_kind) for kind, of_kind in one.by_kind.items()},
            words={
                kind: sum(access.distinct_words for access in of_kind)
                / max(sum(access.requests for access in of_kind), 1)
                for kind, of_kind in one.by_kind.items()
            },
            order=order[id(one)],
        )
        for one in arrays
    ]


def _order_of(arrays: list[Array]) -> dict[int, float]:
    places: dict[int, float] = {}
    for memory in {one.memory for one in arrays}:
        ranked = sorted(
            (one for one in arrays if one.memory == memory),
            key=lambda one: sorted((kernel, access.file, access.line) for kernel, access in one.accesses),
        )
        places |= {id(one): number / len(ranked) for number, one in enumerate(ranked)}
    return places


def _array_pairs(a: list[_ArraySigns], b: list[_ArraySigns]) -> list[Pair[Array]]:
    def alike(x: _ArraySigns, y: _ArraySigns) -> float:
        if x.of.memory != y.of.memory or (x.of.given and y.of.given):
            return 0.0
        return _likeness(
            (
                (4, _overlap(x.of.origins, y.of.origins)),
                (3, _overlap(x.beside, y.beside)),
                (3, _overlap(x.uses, y.uses)),
                (1, _overlap(x.widths, y.widths)),
                (2, _mean(_near(x.lanes.get(kind, 0), y.lanes.get(kind, 0)) for kind in KINDS)),
                (1, _mean(_near(x.words.get(kind, 0), y.words.get(kind, 0)) for kind in KINDS)),
            )
        )

    arguments = _same_arguments([one.of for one in a], [one.of for one in b])
    taken = _numbers(arguments)
    rest_a, rest_b = ([one for one in side if id(one.of) not in taken] for side in (a, b))
    return arguments + _matched(rest_a, rest_b, alike, lambda one: one.of, lambda one: one.order)


def _matched(
    a: Sequence[S],
    b: Sequence[S],
    alike: Callable[[S, S], float],
    of: Callable[[S], T],
    order: Callable[[S], float],
) -> list[Pair[T]]:
    """The most alike first, of equals those that stand in one place of the order; then what is left of either side."""
    table = [[alike(x, y) for y in b[:_MOST]] for x in a[:_MOST]]
    cells = [(i, j) for i, row in enumerate(table) for j in range(len(row)) if row[j] >= _LEAST]
    cells.sort(key=lambda cell: (-round(table[cell[0]][cell[1]], 6), abs(order(a[cell[0]]) - order(b[cell[1]])), cell))
    of_a: dict[int, int] = {}
    of_b: dict[int, int] = {}
    for i, j in cells:
        if i not in of_a and j not in of_b:
            of_a[i], of_b[j] = j, i
    names = [of(one).name for one in a], [of(one).name for one in b]
    paired = [
        Pair(of(x), of(b[of_a[i]]), _doubt(table, (i, of_a[i]), names)) if i in of_a else Pair(of(x), None)
        for i, x in enumerate(a)
    ]
    return paired + [Pair(None, of(y)) for j, y in enumerate(b) if j not in of_b]


def _doubt(table: list[list[float]], cell: tuple[int, int], names: tuple[list[str], list[str]]) -> str:
    i, j = cell
    rivals = [(likeness, "B", names[1][k]) for k, likeness in enumerate(table[i]) if k != j]
    rivals += [(row[j], "A", names[0][k]) for k, row in enumerate(table) if k != i]
    nearest, side, rival = max(rivals, default=(0.0, "", ""))
    if table[i][j] - nearest < _LEAD:
        return f"{side}'s `{rival or 'unnamed'}` is as like; their order decided"
    if table[i][j] < _SURE:
        return f"the two are {table[i][j]:.0%} alike".replace("%", " %")
    return ""

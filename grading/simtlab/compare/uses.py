"""What two submissions do with one array, side by side: the rows of a comparison."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simtlab.compare.roles import KINDS, Array, Kernel, Pair, Pairing, SourcePlace, cost_of
from simtlab.facts.counters import RequestCounters
from simtlab.facts.model import AccessKind

_MOST_LINES = 4
_COUNTERS = {
    "device": ("requests", "lanes", "bytes", "sectors", "same_address_lanes"),
    "constant": ("requests", "lanes", "bytes", "distinct_words"),
    "shared": ("requests", "lanes", "bytes", "wavefronts", "same_address_lanes"),
    "local": ("requests", "lanes", "bytes", "indexed_bytes"),
}
KERNEL_COUNTERS = (
    "steps",
    "divergent_steps",
    "barriers",
    "warp_value_primitives",
    "warp_votes",
    "working_warps",
    "foreign_bytes",
)
"""Of a launch, what says something of a kernel beside its accesses; sums over launches."""


@dataclass(frozen=True)
class Figure:
    """A counter on both sides; None where a side has nothing of that role."""

    name: str
    a: float | None
    b: float | None

    @property
    def differs(self) -> bool:
        """Counters are exact: any difference is one."""
        return self.a != self.b

    @property
    def ratio(self) -> float | None:
        """B over A, where there is one."""
        return self.b / self.a if self.a and self.b is not None else None


@dataclass(frozen=True)
class Use:
    """One kind of access to one array, on both sides."""

    pair: Pair[Array]
    kind: AccessKind

    @property
    def spaces(self) -> tuple[str, str]:
        """Where each side's accesses go; empty where a side has none."""
        return _space(self.pair.a, self.kind), _space(self.pair.b, self.kind)

    @property
    def counters(self) -> tuple[RequestCounters | None, RequestCounters | None]:
        """Of A and B."""
        return _counters(self.pair.a, self.kind), _counters(self.pair.b, self.kind)

    @property
    def costs(self) -> tuple[int, int]:
        """Of A and B, 0 of what a side does not have (`cost_of`)."""
        a, b = (cost_of(space, one) if one else 0 for space, one in zip(self.spaces, self.counters, strict=True))
        return a, b

    @property
    def places(self) -> tuple[list[SourcePlace], list[SourcePlace]]:
        """The lines of A and B, the costliest first."""
        a, b = (one.places(self.kind) if one else [] for one in (self.pair.a, self.pair.b))
        return a, b

    @property
    def figures(self) -> list[Figure]:
        """The counters that apply to this memory and are not 0 on both sides."""
        a, b = self.counters
        kinds = {"constant" if space == "constant" else self.pair.halves[-1].memory for space in self.spaces if space}
        names = dict.fromkeys(name for kind in sorted(kinds, reverse=True) for name in _COUNTERS[kind])
        if self.kind != "atomic":
            names.pop("same_address_lanes", None)
        found = [Figure(name, getattr(a, name, None), getattr(b, name, None)) for name in names]
        return [one for one in found if one.a or one.b]


def uses_of(pairing: Pairing) -> list[Use]:
    """Every kind of access to every array, in the pairing's order."""
    return [
        Use(pair, kind)
        for pair in pairing.arrays
        for kind in KINDS
        if any(kind in half.by_kind for half in pair.halves)
    ]


def kernel_figures(pair: Pair[Kernel]) -> list[Figure]:
    """The totals of a kernel's launches that are not 0 on both sides."""
    found = [Figure("launches", *(_launches(one) for one in (pair.a, pair.b)))]
    found += [Figure(name, *(one.total(name) if one else None for one in (pair.a, pair.b))) for name in KERNEL_COUNTERS]
    return [one for one in found if one.a or one.b]


def differing_counters(pairing: Pairing) -> Iterator[Figure]:
    """All counters of arrays and kernels that differ."""
    for figures in (*(use.figures for use in uses_of(pairing)), *(kernel_figures(pair) for pair in pairing.kernels)):
        yield from (one for one in figures if one.differs)


def role_name(pair: Pair[Array]) -> str:
    """`input`, or `tile (A: s_in)` where the two sides have names of their own."""
    names = [half.name or "unnamed" for half in pair.halves]
    if len(set(names)) == 1 or any(half.given for half in pair.halves):
        return next((half.name for half in pair.halves if half.given), names[-1])
    return f"{names[1]} (A: {names[0]})"


def kernel_name(pair: Pair[Kernel]) -> str:
    """The same of a kernel."""
    names = list(dict.fromkeys(half.name for half in pair.halves))
    return names[0] if len(names) == 1 else f"{names[1]} (A: {names[0]})"


def lines_text(places: Sequence[SourcePlace]) -> str:
    """`line 14`, `lines 14 and 20`, `lines 3, 5, 7 and 4 more`; files are named where there are several."""
    several = len({place.file for place in places}) > 1
    shown = [f"{place.file}:{place.line}" if several else str(place.line) for place in places[:_MOST_LINES]]
    if len(places) > _MOST_LINES:
        shown[-1:] = [f"{len(places) - _MOST_LINES + 1} more"]
    if not shown:
        return ""
    joined = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"{'line' if len(places) == 1 else 'lines'} {joined}"


def _space(one: Array | None, kind: AccessKind) -> str:
    accesses = one.by_kind.get(kind, ()) if one else ()
    return max(accesses, key=lambda access: access.requests).space if accesses else ""


def _counters(one: Array | None, kind: AccessKind) -> RequestCounters | None:
    return one.counters(kind) if one else None


def _launches(one: Kernel | None) -> int | None:
    return sum(launch.times for launch in one.launches) if one else None

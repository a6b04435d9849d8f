"""What a program that simtcc built reports at its end (harness/emulator/report/report.schema.json): findings, and the
counters of each line."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_UNITS = {"global": "sectors", "local": "sectors", "shared": "wavefronts", "constant": "words"}


@dataclass(frozen=True)
class Place:
    """A line, and what a thread did there."""

    file: str
    line: int
    action: str


@dataclass(frozen=True)
class Finding:
    """A defect that the emulator saw."""

    severity: str
    rule: str
    kernel: str
    variable: str
    message: str
    count: int
    places: list[Place]
    """One, or the two of a race."""


@dataclass
class LineCounters:
    """What all launches of a kernel did with one variable at one line."""

    kernel: str
    file: str
    line: int
    space: str
    access: str
    variable: str
    requests: int = 0
    lanes: int = 0
    cost: int = 0
    """In `unit`; 0 for textures, of which nothing is known."""
    least: int = 0
    """The fewest that the distinct bytes need."""

    @property
    def unit(self) -> str:
        """What `cost` counts: what memory answers one after the other. Empty where that is not known."""
        return _UNITS.get(self.space, "")

    @property
    def lanes_per_request(self) -> float:
        """Of 32."""
        return self.lanes / self.requests if self.requests else 0

    @property
    def cost_per_request(self) -> float:
        """Of one request."""
        return self.cost / self.requests if self.requests else 0

    @property
    def least_per_request(self) -> float:
        """The fewest that would do."""
        return self.least / self.requests if self.requests else 0


@dataclass(frozen=True)
class Launches:
    """The launches of one kernel with one shape."""

    kernel: str
    grid: str
    block: str
    count: int
    warps: int
    most_warps: int
    limited_by: str


@dataclass(frozen=True)
class ProgramReport:
    """What a run came to."""

    ended: bool = True
    gpu: str = ""
    findings: list[Finding] = field(default_factory=list)
    launches: list[Launches] = field(default_factory=list)
    lines: list[LineCounters] = field(default_factory=list)

    @property
    def has_error(self) -> bool:
        """Whether a finding is more than a warning."""
        return any(one.severity == "error" for one in self.findings)


def read_report(path: Path) -> ProgramReport | None:
    """The report in `path`; None where the program left none, as one that was killed does."""
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return ProgramReport(
        ended=document["ended"],
        gpu=document["gpu"],
        findings=[_finding(one) for one in document["findings"]],
        launches=_launches(document["launches"]),
        lines=_lines(document["launches"]),
    )


def _finding(one: dict[str, Any]) -> Finding:
    places = [one["first"], *([one["second"]] if one["second"] else [])]
    return Finding(
        severity=one["severity"],
        rule=one["rule"],
        kernel=one["kernel"],
        variable=one["variable"],
        message=one["message"],
        count=one["count"],
        places=[Place(place["file"], place["line"], _action(place)) for place in places],
    )


def _action(place: dict[str, Any]) -> str:
    if place["thread"] is None or place["block"] is None:
        return str(place["action"])
    return f"thread {_triple(place['thread'])} of block {_triple(place['block'])} {place['action']}"


def _launches(launches: Iterable[dict[str, Any]]) -> list[Launches]:
    shapes: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for one in launches:
        shapes.setdefault((one["kernel"], _triple(one["grid"]), _triple(one["block"])), []).append(one)
    found = []
    for (kernel, grid, block), alike in shapes.items():
        most = alike[0]["occupancy"]
        found.append(Launches(kernel, grid, block, len(alike), most["warps"], most["most_warps"], most["limited_by"]))
    return found


def _lines(launches: Iterable[dict[str, Any]]) -> list[LineCounters]:
    lines: dict[tuple[str, str, int, str, str, str], LineCounters] = {}
    for launch in launches:
        for one in launch["accesses"]:
            if one["space"] not in {*_UNITS, "texture"}:
                continue  # not the kernel's memory: a finding tells of it
            key = (launch["kernel"], one["file"], one["line"], one["space"], one["access"], one["variable"])
            line = lines.setdefault(key, LineCounters(*key))
            line.requests += one["requests"]
            line.lanes += one["lanes"]
            if line.unit == "words":
                line.cost += one["distinct_words"]
                line.least += one["requests"]  # the one word that all lanes want
            elif line.unit:
                line.cost += one[line.unit]
                line.least += one[f"ideal_{line.unit}"]
    return sorted(lines.values(), key=lambda one: (one.kernel, one.file, one.line, one.access, one.variable))


def _triple(three: list[int]) -> str:
    return f"({','.join(map(str, three))})"

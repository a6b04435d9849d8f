"""What one launch's accesses came to, from a GPU's figures and from the emulator's report."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLES = Path(__file__).resolve().parents[2] / "solutions" / "measured"
"""What GPUs counted."""
MEASURED = TABLES / "h200.csv"
"""Columns: program, build (`O1`: nvcc -Xcicc -O1 -Xptxas -O1; `default`), launch, space, access, and the Figures."""

PROGRAMS = ("patterns", "textbook", "control_flow", "loops")
SHARED_ATOMICS = "shared_atomics"
"""Measured too. Its launches are compared by what their atomic operation costs in all: some are loops on the GPU."""


@dataclass(frozen=True)
class Kind:
    """Accesses that are counted together."""

    space: str
    """`global` or `shared`."""
    access: str
    """`read`, `write` or `atomic`."""


@dataclass(frozen=True)
class Figures:
    """Sums over a launch."""

    requests: int
    """Warp instructions with an active lane."""
    lanes: int
    """Active lanes."""
    sectors: int
    """Pieces of 32 bytes of global memory; 0 for shared memory."""
    wavefronts: int
    """Passes of shared memory; 0 for global memory."""

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            self.requests + other.requests,
            self.lanes + other.lanes,
            self.sectors + other.sectors,
            self.wavefronts + other.wavefronts,
        )

    def ratios(self) -> dict[str, float]:
        """Per request."""
        cost = {"wavefronts": self.wavefronts} if self.wavefronts else {"sectors": self.sectors}
        return {name: value / self.requests for name, value in {"lanes": self.lanes, **cost}.items()}


Launch = dict[Kind, Figures]
"""What a launch did; kinds of access without a request are absent."""


def _summed(accesses: Iterable[tuple[Kind, Figures]]) -> Launch:
    launch: Launch = {}
    for kind, figures in accesses:
        if figures.requests:
            launch[kind] = launch[kind] + figures if kind in launch else figures
    return launch


def read_measured(file: Path = MEASURED) -> dict[tuple[str, str], dict[str, Launch]]:
    """The GPU's launches by program and build, in their order; lines that begin with # say where they were measured."""
    found: dict[tuple[str, str], dict[str, Launch]] = {}
    with file.open(encoding="utf-8") as text:
        for row in csv.DictReader(line for line in text if not line.startswith("#")):
            launch = found.setdefault((row["program"], row["build"]), {}).setdefault(row["launch"], {})
            counts = (int(row[column]) for column in ("requests", "lanes", "sectors", "wavefronts"))
            launch[Kind(row["space"], row["access"])] = Figures(*counts)
    return found


def read_report(text: str, names: list[str]) -> dict[str, Launch]:
    """The emulator's launches from its JSON report; `names` are theirs, in order."""
    report: dict[str, Any] = json.loads(text)
    if len(report["launches"]) != len(names):
        message = f"the report has {len(report['launches'])} launches, the program named {len(names)}"
        raise ValueError(message)
    if report["findings"]:
        first = report["findings"][0]
        message = f"the program is meant to be clean; the emulator found: {first['rule']} in {first['kernel']}"
        raise ValueError(message)
    return {
        name: _summed(
            (
                Kind(one["space"], one["access"]),
                Figures(one["requests"], one["lanes"], one["sectors"], one["wavefronts"]),
            )
            for one in launch["accesses"]
            if one["space"] in ("global", "shared")
        )
        for name, launch in zip(names, report["launches"], strict=True)
    }

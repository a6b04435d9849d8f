"""What an H200 counted of atomic operations, beside the engine sass: on addresses of any space (generic_atomics), and
on global memory by lanes that meet (reductions).

python -m hardware.atomics     prints each launch that differs, as ours/GPU, and how many are equal

Needs nvcc and nvdisasm, no GPU. The programs are those of solutions/emulator/hardware.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.emulation import SOURCES, simtcc
from hardware.figures import TABLES
from hardware.measure import BUILDS

PROGRAMS = {"generic_atomics": "O1", "reductions": "default"}
"""And the build that was measured (measure.py)."""


@dataclass(frozen=True)
class Cost:
    """Of a launch's atomic operations."""

    wavefronts: int
    """Of shared memory, also those that the operations take when they go to global memory."""
    requests: int
    """To global memory."""
    sectors: int


def table_of(program: str) -> Path:
    """Where a program's counts stand."""
    return TABLES / f"{program.replace('_', '-')}-h200.csv"


def measured(program: str) -> list[tuple[str, Cost]]:
    """Every launch in its order; some came several times."""
    with table_of(program).open(encoding="utf-8") as text:
        rows = csv.DictReader(line for line in text if not line.startswith("#"))
        return [
            (row["launch"], Cost(*(int(row[name]) for name in ("wavefronts", "requests", "sectors")))) for row in rows
        ]


def warps_of(launch: str) -> int:
    """How many a block of this launch has."""
    return next(int(word.removeprefix("warps")) for word in launch.split() if word.startswith("warps"))


def cost_of(launch: dict[str, Any]) -> Cost:
    """The same of a launch in SIMTLAB_REPORT."""
    atomic = [one for one in launch["accesses"] if one["access"] == "atomic"]
    of = {name: sum(one[name] for one in atomic if one["space"] == "global") for name in ("requests", "sectors")}
    return Cost(sum(one["wavefronts"] + one["generic_wavefronts"] for one in atomic), **of)


def emulated(program: str) -> list[tuple[str, Cost]]:
    """Compiles and runs the program."""
    with tempfile.TemporaryDirectory() as folder:
        built, report = Path(folder) / "program", Path(folder) / "report.json"
        words: list[str | Path] = [
            simtcc(),
            "--engine",
            "sass",
            "-std=c++17",
            "-arch=sm_90",
            *BUILDS[PROGRAMS[program]],
        ]
        subprocess.run([*words, SOURCES / f"{program}.cu", "-o", built], check=True)
        settings = os.environ | {"SIMTLAB_REPORT": str(report)}
        ran = subprocess.run([built], check=True, capture_output=True, text=True, env=settings)
        launches = json.loads(report.read_text(encoding="utf-8"))["launches"]
        return [(name, cost_of(one)) for name, one in zip(ran.stdout.splitlines(), launches, strict=True)]


def compare(ours: list[tuple[str, Cost]], gpu: list[tuple[str, Cost]]) -> list[str]:
    """A line for each launch that differs; raises ValueError where they are not the same launches."""
    if [name for name, _ in ours] != [name for name, _ in gpu]:
        message = "the program's launches are not those that were measured: measure again"
        raise ValueError(message)
    return [
        f"{name}: wavefronts {mine.wavefronts}/{its.wavefronts}, requests {mine.requests}/{its.requests}, "
        f"sectors {mine.sectors}/{its.sectors}"
        for (name, mine), (_, its) in zip(ours, gpu, strict=True)
        if mine != its
    ]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    for program in PROGRAMS:
        of_gpu = measured(program)
        differing = compare(emulated(program), of_gpu)
        print("\n".join([*differing, f"{program}: {len(of_gpu) - len(differing)} of {len(of_gpu)} launches are equal"]))

"""What an H200 counted of atomic operations on addresses of any space, beside the engine sass:

python -m hardware.generic_atomics     prints each launch that differs, as ours/GPU, and how many are equal

Needs nvcc and nvdisasm, no GPU. The program is solutions/emulator/hardware/generic_atomics.cu, at O1.
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
from hardware.measure import BUILDS

MEASURED = Path(__file__).resolve().parent / "generic-atomics-h200.csv"


@dataclass(frozen=True)
class Cost:
    """Of a launch's atomic operations."""

    wavefronts: int
    """Of shared memory, also those that the operations take when they go to global memory."""
    requests: int
    """To global memory."""
    sectors: int


def measured() -> list[tuple[str, Cost]]:
    """Every launch in its order; some came several times."""
    with MEASURED.open(encoding="utf-8") as text:
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


def emulated() -> list[tuple[str, Cost]]:
    """Compiles and runs the program."""
    with tempfile.TemporaryDirectory() as folder:
        built, report = Path(folder) / "program", Path(folder) / "report.json"
        words: list[str | Path] = [simtcc(), "--engine", "sass", "-std=c++17", "-arch=sm_90", *BUILDS["O1"]]
        subprocess.run([*words, SOURCES / "generic_atomics.cu", "-o", built], check=True)
        settings = os.environ | {"SIMTLAB_REPORT": str(report)}
        ran = subprocess.run([built], check=True, capture_output=True, text=True, env=settings)
        launches = json.loads(report.read_text(encoding="utf-8"))["launches"]
        return [(name, cost_of(one)) for name, one in zip(ran.stdout.splitlines(), launches, strict=True)]


def compare(ours: list[tuple[str, Cost]], gpu: list[tuple[str, Cost]]) -> list[str]:
    """A line for each launch that differs; raises ValueError where they are not the same launches."""
    if [name for name, _ in ours] != [name for name, _ in gpu]:
        message = f"the program's launches are not those of {MEASURED.name}: measure again"
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
    of_gpu = measured()
    differing = compare(emulated(), of_gpu)
    print("\n".join(differing))
    print(f"{len(of_gpu) - len(differing)} of {len(of_gpu)} launches have the GPU's counts")

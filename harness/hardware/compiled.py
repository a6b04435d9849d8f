"""The programs of hardware.md as nvcc compiles them, counted by the engine sass, beside the GPU's counts in h200.csv:

python -m hardware.compiled [O1]     prints each launch that differs, as ours/GPU, and how many are equal
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hardware.emulation import SOURCES, simtcc
from hardware.figures import MEASURED
from hardware.measure import BUILDS

_UNITS = ("requests", "lanes", "sectors", "wavefronts")


def measured(build: str) -> dict[str, dict[str, Counter[str]]]:
    """By program and launch: what the GPU counted."""
    found: dict[str, dict[str, Counter[str]]] = {}
    with MEASURED.open(encoding="utf-8") as text:
        for row in csv.DictReader(line for line in text if not line.startswith("#")):
            if row["build"] == build:
                of = found.setdefault(row["program"], {}).setdefault(row["launch"], Counter())
                for unit in _UNITS:
                    of[f"{row['space']} {row['access']} {unit}"] += int(row[unit])
    return found


def figures_of(launch: dict[str, Any]) -> Counter[str]:
    """The same of a launch in SIMTLAB_REPORT."""
    of: Counter[str] = Counter()
    for one in launch["accesses"]:
        if one["space"] in ("global", "shared"):
            cost = "sectors" if one["space"] == "global" else "wavefronts"
            for unit in ("requests", "lanes", cost):
                of[f"{one['space']} {one['access']} {unit}"] += one[unit] - one.get(f"copied_{unit}", 0)
    return of


def differences(ours: Counter[str], gpu: Counter[str]) -> str:
    """`global read sectors 4/5`; empty where all are equal."""
    return "; ".join(f"{name} {ours[name]}/{gpu[name]}" for name in sorted({*ours, *gpu}) if ours[name] != gpu[name])


def compare(build: str) -> None:
    """Compiles and runs every program, and prints the comparison."""
    equal = launches = 0
    with tempfile.TemporaryDirectory() as folder:
        for program, of_gpu in measured(build).items():
            built, report = Path(folder) / program, Path(folder) / f"{program}.json"
            words: list[str | Path] = [simtcc(), "--engine", "sass", "-std=c++17", "-arch=sm_90", *BUILDS[build]]
            subprocess.run([*words, SOURCES / f"{program}.cu", "-o", built], check=True)
            settings = os.environ | {"SIMTLAB_REPORT": str(report), "SIMTLAB_ERROR_EXITCODE": "0"}
            ran = subprocess.run([built], check=True, capture_output=True, text=True, env=settings)
            made = json.loads(report.read_text(encoding="utf-8"))["launches"]
            for name, launch in zip(ran.stdout.splitlines(), made, strict=True):
                apart = differences(figures_of(launch), of_gpu[name]) if name in of_gpu else ""
                launches += name in of_gpu
                equal += name in of_gpu and not apart
                if apart:
                    print(f"{program}, {name}: {apart}")
    print(f"{build}: {equal} of {launches} launches have every counter of the GPU's")


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["O1"]):
        sys.exit(__doc__)
    compare("O1" if sys.argv[1:] else "default")

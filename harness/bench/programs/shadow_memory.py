"""What the emulator's checks remember of memory: bytes for each byte that a kernel touches.

The peak memory of one process that touches much is compared with that of one that touches little. What they differ by,
less the touched memory itself, is what the checks have taken, tables and all; what does not grow falls out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).resolve().parents[1] / "shadow" / "patterns.cu"
MUCH, LITTLE = 16 << 20, 2 << 20
SHARED_MUCH, SHARED_LITTLE = 192 << 10, 16 << 10
COPIES = ("copy-1", "copy-2", "copy-4", "copy-8", "copy-16")
OTHERS = (
    "in-place",
    "neighbours",
    "all-by-all",
    "stretch-4",
    "stretch-1",
    "stretch-in-place",
    "across-warps-1",
    "scatter-4",
)
SHARED = ("shared-4", "shared-1", "shared-across-1")


class Peak(NamedTuple):
    """What one run says of itself, in bytes."""

    touched: int
    memory: int


def peak(program: Path, pattern: str, size: int, blocks: str) -> Peak:
    """Runs the program with all checks and without counters."""
    words = [str(program), pattern, str(size), blocks]
    environment = os.environ | {"SIMTLAB_COUNTERS": "off", "SIMTLAB_CHECKS": "on", "SIMTLAB_ERROR_EXITCODE": "0"}
    done = subprocess.run(words, check=False, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    touched, memory = done.stdout.splitlines()[0].split()
    return Peak(int(touched), int(memory))


def shadow_per_byte(program: Path, pattern: str, blocks: str) -> float:
    """Bytes of shadow memory for each byte touched."""
    in_shared = pattern.startswith("shared")
    sizes = (SHARED_MUCH, SHARED_LITTLE) if in_shared else (MUCH, LITTLE)
    much, little = (peak(program, pattern, size, blocks) for size in sizes)
    return (much.memory - little.memory) / (much.touched - little.touched) - 1


def main(tree: Path) -> None:
    """Builds the program with and without fences, and prints a measurement for each way to touch memory."""
    simtcc = tree / "bin" / "simtcc"
    with tempfile.TemporaryDirectory() as name:
        plain, fenced = Path(name) / "plain", Path(name) / "fenced"
        for program, options in ((plain, []), (fenced, ["-DFENCED"])):
            subprocess.run([simtcc, "-std=c++20", *options, SOURCE, "-o", program], check=True)
        # Takes minutes with several blocks.
        print_measurement("scatter-1, blocks: 1", shadow_per_byte(plain, "scatter-1", "1"))
        for pattern in (*COPIES, *OTHERS, *SHARED):
            for blocks in ("1", "few", "many"):
                print_measurement(f"{pattern}, blocks: {blocks}", shadow_per_byte(plain, pattern, blocks))
                print_measurement(f"{pattern}, blocks: {blocks}, fences", shadow_per_byte(fenced, pattern, blocks))


def print_measurement(name: str, value: float) -> None:
    """One line of output."""
    unit = "shadow bytes per byte"
    print(json.dumps({"name": name, "value": value, "unit": unit, "peer": None, "ratio": None}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

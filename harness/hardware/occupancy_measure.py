"""Measures what fits on a GPU at once: `python -m hardware.occupancy_measure solutions/measured/occupancy-h200.csv`.

Needs nvcc and a GPU, and a few seconds. The program is solutions/emulator/hardware/occupancy.cu; the test
emulator.occupancy compares the rows of every such file with core/occupancy.h, on the GPU of that name.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hardware.emulation import SOURCES

COLUMNS = "registers,static_shared,threads,dynamic_shared,blocks"
_FEWEST_ROWS = 500


def document(said: str, toolkit: str) -> str:
    """The file of what the program said; raises ValueError where that is no table of at least 500 rows."""
    about, header, *rows = said.splitlines() or ["", ""]
    if not about.startswith("# ") or header != COLUMNS:
        message = f"the program's first lines are not the GPU and {COLUMNS}:\n{said[:200]}"
        raise ValueError(message)
    if len(rows) < _FEWEST_ROWS or not all(re.fullmatch(r"\d+(,\d+){4}", row) for row in rows):
        message = f"the program said {len(rows)} rows, at least {_FEWEST_ROWS} of five numbers each are expected"
        raise ValueError(message)
    first = f"# Measured by `python -m hardware.occupancy_measure`: {about[2:]}, {toolkit}."
    return "\n".join([first, header, *rows]) + "\n"


def _run(command: list[str | Path]) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        message = f"{command[0]} ended with {done.returncode}: {done.stderr.strip() or done.stdout.strip()}"
        raise RuntimeError(message)
    return done.stdout


def measure() -> str:
    """Builds the program for this machine's GPU and runs it."""
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if nvcc is None:
        message = "there is no nvcc in PATH or /usr/local/cuda/bin: this measures on a GPU, with the CUDA Toolkit"
        raise RuntimeError(message)
    version = re.search(r"V(\d+\.\d+\.\d+)", _run([nvcc, "--version"]))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "occupancy"
        _run([nvcc, "-std=c++17", "-arch=native", SOURCES / "occupancy.cu", "-o", program])
        return document(_run([program]), f"nvcc {version.group(1) if version else 'of unknown version'}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("say where the table goes: python -m hardware.occupancy_measure solutions/measured/occupancy-GPU.csv")
    try:
        table = measure()
    except (RuntimeError, ValueError) as fault:
        sys.exit(str(fault))
    Path(sys.argv[1]).write_text(table, encoding="utf-8")

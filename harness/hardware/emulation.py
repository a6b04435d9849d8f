"""Runs a program of solutions/emulator/hardware on the emulator."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from hardware.figures import Launch, read_report

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "solutions" / "emulator" / "hardware"


def build_tree() -> Path:
    """`$SIMTLAB_BUILD`, else the default preset's."""
    return Path(os.environ.get("SIMTLAB_BUILD") or ROOT / "build" / "default")


def simtcc() -> Path:
    """The compiler driver of that tree, which may not be built yet."""
    return build_tree() / "bin" / "simtcc"


def run_program(program: str, folder: Path, *words: str, settings: dict[str, str] | None = None) -> str:
    """What one program prints that was compiled inside `folder`, run with these words and settings of the emulator's;
    raises RuntimeError with what was said when either fails."""
    built = folder / program
    compiled = subprocess.run(
        [simtcc(), "-Wall", "-Wextra", SOURCES / f"{program}.cu", "-o", built],
        check=False,
        capture_output=True,
        text=True,
    )
    if compiled.returncode:
        message = f"simtcc {program}.cu ended with {compiled.returncode}:\n{compiled.stderr}"
        raise RuntimeError(message)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SIMTLAB_")}
    ran = subprocess.run(
        [built, *words], check=False, capture_output=True, text=True, env=environment | (settings or {})
    )
    if ran.returncode:
        message = f"{program} ended with {ran.returncode}:\n{ran.stdout[-500:]}{ran.stderr}"
        raise RuntimeError(message)
    return ran.stdout


def emulate(program: str, folder: Path) -> dict[str, Launch]:
    """The launches of one program; raises RuntimeError with what was said when it fails."""
    report = folder / f"{program}.json"
    counters_whatever_is_found = {"SIMTLAB_REPORT": str(report), "SIMTLAB_ERROR_EXITCODE": "0"}
    said = run_program(program, folder, settings=counters_whatever_is_found)
    return read_report(report.read_text(encoding="utf-8"), said.splitlines())

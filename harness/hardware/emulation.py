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


def emulate(program: str, folder: Path) -> dict[str, Launch]:
    """Compiles and runs one program inside `folder`; raises RuntimeError with what was said when either fails."""
    built, report = folder / program, folder / f"{program}.json"
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
    environment["SIMTLAB_REPORT"] = str(report)
    environment["SIMTLAB_ERROR_EXITCODE"] = "0"  # the counters are asked for, whatever was found
    ran = subprocess.run([built], check=False, capture_output=True, text=True, env=environment)
    if ran.returncode:
        message = f"{program} ended with {ran.returncode}:\n{ran.stdout[-500:]}{ran.stderr}"
        raise RuntimeError(message)
    return read_report(report.read_text(encoding="utf-8"), ran.stdout.splitlines())

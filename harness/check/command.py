"""Starts the programs of a step, with their output in a log file under build/check/."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "build" / "check"
CORES = os.cpu_count() or 1


_KEEPS_BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}
"""Thousands of interpreters would compile the same modules again where the caller forbids to keep them."""

_at_work: list[Path] = []


def current_log() -> Path | None:
    """The log of the program that runs at the moment."""
    return _at_work[-1] if _at_work else None


@dataclass(frozen=True)
class Finished:
    """A program that has ended, or was ended because its time was up."""

    code: int
    output: str
    log: Path = field(default_factory=Path)

    @property
    def ended_well(self) -> bool:
        """Exit code 0."""
        return self.code == 0

    def tail(self, lines: int = 40) -> str:
        """The last lines of its output, and where the rest is."""
        kept = self.output.rstrip().splitlines()[-lines:]
        return "\n".join([*kept, f"(exit code {self.code}; the whole output: {self.log.relative_to(ROOT)})"])


def run(
    log: str,
    words: Sequence[str | Path],
    *,
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    limit_seconds: float = 1200,
) -> Finished:
    """Runs a program to its end, standard output and error together into build/check/<log>.log."""
    LOGS.mkdir(parents=True, exist_ok=True)
    path = LOGS / f"{log}.log"
    if threading.current_thread() is threading.main_thread():  # what runs beside it is not what one waits for
        _at_work[:] = [path]
    with path.open("wb") as sink:
        sink.write(f"$ {' '.join(map(str, words))}\n".encode())
        sink.flush()
        try:
            process = subprocess.Popen(
                [str(word) for word in words],
                cwd=folder,
                env={**os.environ, **_KEEPS_BYTECODE, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as problem:
            return Finished(127, f"{words[0]} does not start: {problem}", path)
        try:
            code = process.wait(limit_seconds)
        except BaseException as interruption:
            # What it started goes with it: a hanging test would otherwise outlive the check.
            os.killpg(process.pid, signal.SIGTERM)
            time.sleep(0.5)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if not isinstance(interruption, subprocess.TimeoutExpired):
                raise
            code = 124
            sink.write(f"\nstopped after {limit_seconds:.0f} s\n".encode())
    return Finished(code, path.read_text(encoding="utf-8", errors="replace"), path)

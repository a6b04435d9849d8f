"""A copy of the checkout that a benchmark may build in and edit, and what its programs take."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

from bench.product import print_measurement

ROOT = Path(__file__).resolve().parents[2]
_LEFT_OUT = ("build", ".git", ".venv", "__pycache__", "*_cache")


def without_a_compiler_cache() -> dict[str, str]:
    """The environment of programs that shall compile everything anew."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_COMPILER_LAUNCHER")}
    return {**environment, "CCACHE_DISABLE": "1"}


def _processor_seconds() -> float:
    """What all programs that have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class CheckoutCopy:
    """A copy of the checkout and its build tree."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._processor, self._clock = 0.0, 0.0
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*_LEFT_OUT), dirs_exist_ok=True)

    def run(self, *words: str) -> None:
        """One more program of what is measured now; it must end well."""
        processor, clock = _processor_seconds(), time.monotonic()
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=without_a_compiler_cache(),
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout[-4000:]}{done.stderr}")
        self._processor += _processor_seconds() - processor
        self._clock += time.monotonic() - clock

    def build(self, *targets: str) -> None:
        """Builds the targets."""
        self.run("cmake", "--build", "build/default", "--target", *targets)

    def edit(self, file: Path) -> None:
        """A line more at the file's end, and the figures begin anew."""
        with (self.folder / file).open("a", encoding="utf-8") as text:
            text.write("// an edit\n")
        self.begin()

    def begin(self) -> None:
        """From here on the figures count anew."""
        self._processor, self._clock = 0.0, 0.0

    def tell(self, name: str) -> None:
        """Prints what has been used so far."""
        for what, value in ((name, self._processor), (f"{name}, on the clock", self._clock)):
            print_measurement(what, round(value, 1))

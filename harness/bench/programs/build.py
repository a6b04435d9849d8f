"""How long builds take: the student's first, the grader's first, two after an edit, and a developer's clean one.

In a copy of the checkout, without a compiler cache, one after the other: the grader's adds to the student's in one
tree, whose sources are compiled in batches; everything is built anew, each source alone. Processor time is what
docs/internals/build.md compares; the clock depends on the cores.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.product import print_measurement

ROOT = Path(__file__).resolve().parents[3]
LAB = "01-vector-add"
CORE = Path("harness/emulator/core/memory_map.cpp")
"""A source of the emulator's core that everything is linked with and nothing includes."""
_LEFT_OUT = ("build", ".git", ".venv", "__pycache__", "*_cache")


def processor_seconds() -> float:
    """What all programs that have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Copy:
    """A copy of the checkout and its build tree."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processor, self._clock = 0.0, 0.0
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*_LEFT_OUT), dirs_exist_ok=True)

    def run(self, *words: str) -> None:
        """One more program of what is measured now; it must end well."""
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_COMPILER_LAUNCHER")}
        environment["CCACHE_DISABLE"] = "1"
        processor, clock = processor_seconds(), time.monotonic()
        done = subprocess.run(
            words,
            cwd=self._folder,
            env=environment,
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout[-4000:]}{done.stderr}")
        self._processor += processor_seconds() - processor
        self._clock += time.monotonic() - clock

    def build(self, *targets: str) -> None:
        """Builds the targets."""
        self.run("cmake", "--build", "build/default", "--target", *targets)

    def edit(self, file: Path) -> None:
        """A line more at the file's end, and the figures begin anew."""
        with (self._folder / file).open("a", encoding="utf-8") as text:
            text.write("// an edit\n")
        self.begin()

    def begin(self) -> None:
        """From here on the figures count anew."""
        self._processor, self._clock = 0.0, 0.0

    def tell(self, name: str) -> None:
        """Prints what has been used so far."""
        for what, value in ((name, self._processor), (f"{name}, on the clock", self._clock)):
            print_measurement(what, round(value, 1))


def main() -> None:
    """Prints the table's lines."""
    with tempfile.TemporaryDirectory(prefix="simtlab-build-") as place:
        copy = Copy(Path(place))
        copy.run("harness/setup/configure.sh", "default", "emulator", "batches")
        copy.build(f"lab_{LAB}")
        copy.tell("build: a student's first, one lab")
        copy.build("simtlab_judges")
        copy.tell("build: the grader's first")
        copy.edit(Path("labs") / LAB / "kernel.cu")
        copy.build(f"lab_{LAB}")
        copy.tell("build: after an edit of a kernel")
        copy.edit(CORE)
        copy.build(f"lab_{LAB}")
        copy.tell("build: after an edit of the emulator's core")
        copy.begin()
        copy.run("harness/setup/configure.sh", "default", "emulator", "alone")
        copy.build("all", "simtlab_benchmarks")
        copy.tell("build: everything, each source alone")


if __name__ == "__main__":
    main()

"""How long builds take: the student's first, the grader's first, two after an edit, and a developer's clean one.

In a copy of the checkout, without a compiler cache, one after the other: the grader's adds to the student's in one
tree, whose sources are compiled in batches; everything is built anew, each source alone. Processor time is what
docs/internals/build.md compares; the clock depends on the cores.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench.checkout_copy import CheckoutCopy

LAB = "01-vector-add"
CORE = Path("harness/emulator/core/memory_map.cpp")
"""A source of the emulator's core that everything is linked with and nothing includes."""


def main() -> None:
    """Prints the table's lines."""
    with tempfile.TemporaryDirectory(prefix="simtlab-build-") as place:
        copy = CheckoutCopy(Path(place))
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

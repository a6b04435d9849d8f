"""What the benchmark of each lab's right solution takes as nvcc compiled it, with counters, by its runner; the peer is
the time that must suffice."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench.lab_runner import ROOT, built_solutions, engine_words, kept_benchmark, seconds_of_case, seconds_of_runner
from bench.product import print_measurement

MOST_SECONDS = 15.0


def main(tree: Path) -> None:
    """Builds each lab's solution, takes its benchmark, and prints one measurement a lab."""
    labs = sorted(folder.name for folder in (ROOT / "labs").glob("[0-9]*"))
    for lab, source, description in built_solutions(tree, labs):
        build = dict(description["backends"]["emulator"])
        build["compiler"] = engine_words(build["compiler"])
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            seconds_of_runner(build, source, folder)
            case = kept_benchmark(description["judge"], source, folder)
            seconds = seconds_of_case(case, folder, {"examples": False, "as_compiled": True})
            print_measurement(
                f"as compiled: the benchmark of {lab}", seconds, (f"at most {MOST_SECONDS:.0f} s", MOST_SECONDS)
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]))

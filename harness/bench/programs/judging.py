"""What judging a right solution takes, all its visible cases and the benchmark, in processor time.

Lab 08 has small cases, 02 many small blocks, and the threads of 17 work on local arrays.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench.lab_runner import built_solutions, processor_seconds_of, seconds_of_runner
from bench.product import print_measurement

LABS = ("02-global-coalescing", "08-bank-conflicts", "17-capstone-gemm")


def main(tree: Path) -> None:
    """Builds each lab's solution, judges it, and prints one measurement."""
    for lab, source, description in built_solutions(tree, LABS):
        with tempfile.TemporaryDirectory() as folder:
            seconds_of_runner(description["backends"]["emulator"], source, Path(folder))
            words = [description["judge"], "--runner", f"{folder}/runner", "--facts", f"{folder}/facts.json"]
            seconds = processor_seconds_of([*words, "--submission", lab, "--source", str(source)])
            print_measurement(f"judge the solution of {lab}", seconds)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

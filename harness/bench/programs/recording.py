"""What keeping requests for pictures costs a run: the benchmark of a right solution by its runner, with and without, in
processor time. A profile asks for them, and so does grading, of the benchmark, for its pages.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.lab_runner import built_solutions, kept_benchmark, seconds_of_case, seconds_of_runner
from bench.product import print_measurement

LABS = ("02-global-coalescing", "08-bank-conflicts", "13-coarsening")
_ROUNDS = 9


def main(tree: Path) -> None:
    """Builds each lab's solution, takes its profile for the case, and prints one measurement a lab."""
    for lab, source, description in built_solutions(tree, LABS):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            seconds_of_runner(description["backends"]["emulator"], source, folder)
            kept = kept_benchmark(description["judge"], source, folder)
            seconds: dict[bool, list[float]] = {True: [], False: []}
            for _ in range(_ROUNDS):
                for examples in (False, True):
                    seconds[examples].append(seconds_of_case(kept, folder, {"examples": examples}))
            with_them, without = median(seconds[True]), median(seconds[False])
            print_measurement(f"a run of {lab} that keeps requests", with_them, ("without", without))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

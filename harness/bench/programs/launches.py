"""What a launch takes, by its shape: an empty kernel, few threads, many blocks, many small launches; with checks and
counters off, with counters and with both; by one worker and by two.

One worker is told in processor time, because it hardly depends on what else the machine does; two workers on the clock.
Checks always have one worker.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench.product import EMULATOR, print_measurement, said_by, seconds_of

SOURCE = Path(__file__).resolve().parents[1] / "launches" / "launches.cu"
SHAPES = {
    "empty": "empty",
    "empty-beside-memory": "empty, 2 MB allocated",
    "few-threads": "32 threads",
    "many-blocks": "4,096 blocks of 128",
    "small": "4 blocks of 64",
}
MODES = {"neither": [], "counters": ["counters"], "counters and checks": ["counters", "checks"]}


def main(tree: Path) -> None:
    """Builds the program and prints a measurement for each shape, mode and number of workers."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "launches"
        said_by([tree / "bin" / "simtcc", "-std=c++20", "-I", EMULATOR, SOURCE, "-o", program])
        for shape, what in SHAPES.items():
            for mode, words in MODES.items():
                alone = seconds_of([program, shape, "1", *words])
                print_measurement(f"launch, {what}: {mode}", 1e6 * alone.processor, unit="µs")
                if "checks" not in words:
                    pair = seconds_of([program, shape, "2", *words])
                    name = f"launch, {what}: {mode}, two workers"
                    print_measurement(name, 1e6 * pair.wall, ("one worker", 1e6 * alone.wall), "µs")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

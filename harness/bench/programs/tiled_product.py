"""What the emulator's counters and checks cost: a tiled product of two matrices (docs/internals/emulator-speed.md).

The peer is the same program, compiled from the text that simtcc hands to g++ but without the instrumentation: fibers
and barriers run, no access is seen. On one worker the times are processor time, so that a busy machine disturbs them
little; two workers are told by the clock on the wall, and need two idle cores. Checks always have one worker.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench.product import build, build_plain, launch, print_measurement, said_by

MODES = {"counters": ["counters"], "checks": ["checks"], "counters and checks": ["counters", "checks"]}
SIZE = 512
STARTS = 21


def main(tree: Path) -> None:
    """Builds both programs, runs them, and prints a measurement for each mode."""
    with tempfile.TemporaryDirectory() as name:
        ours, plain = build(tree, Path(name)), build_plain(tree, Path(name))
        peer = launch(plain, SIZE, 1)
        print_measurement(f"tiled product {SIZE}^3, not instrumented", peer.processor)
        for mode, words in MODES.items():
            ours_alone = launch(ours, SIZE, 1, words)
            name_of_mode = f"tiled product {SIZE}^3, {mode}"
            print_measurement(
                name_of_mode, ours_alone.processor, ("the same program, not instrumented", peer.processor)
            )
            if "checks" in words:
                continue
            pair = launch(ours, SIZE, 2, words)
            print_measurement(f"{name_of_mode}, two workers", pair.wall, ("one worker", ours_alone.wall))
        pair = launch(plain, SIZE, 2)
        print_measurement(
            f"tiled product {SIZE}^3, not instrumented, two workers", pair.wall, ("one worker", peer.wall)
        )
        print_measurement("start of a program with one small launch", seconds_to_start(ours))


def seconds_to_start(program: Path) -> float:
    """The median of whole runs with next to no work, less that of a program that does nothing."""

    def median_of(words: list[str | Path]) -> float:
        times = []
        for _ in range(STARTS):
            begin = time.perf_counter()
            said_by(words)
            times.append(time.perf_counter() - begin)
        return statistics.median(times)

    return median_of([program, "16", "1", "counters", "checks"]) - median_of(["true"])


if __name__ == "__main__":
    main(Path(sys.argv[1]))

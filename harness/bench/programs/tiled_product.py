"""What the emulator's counters and checks cost: a tiled product of two matrices, as docs/emulator-speed.md reads it.

The peer is the same program, compiled from the text that simtcc hands to g++ but without the instrumentation: fibers
and barriers run, no access is seen. On one worker the times are processor time, so that a busy machine disturbs them
little; two workers are told by the clock on the wall, and need two idle cores.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

EMULATOR = Path(__file__).resolve().parents[2] / "emulator"
SOURCE = Path(__file__).resolve().parents[3] / "solutions" / "bench" / "tiled_product.cu"
MODES = {"counters": ["counters"], "checks": ["checks"], "counters and checks": ["counters", "checks"]}
SIZE = 512
STARTS = 21


def said_by(words: list[str | Path]) -> str:
    """What a program prints; it must succeed."""
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main(tree: Path) -> None:
    """Builds both programs, runs them, and prints a measurement for each mode."""
    if not SOURCE.exists():
        print("SKIP: this copy has no solutions/bench, where the tiled product is kept: it solves a lab")
        sys.exit(77)
    simtcc = tree / "bin" / "simtcc"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours, plain = folder / "ours", folder / "plain"
        compile_options: list[str | Path] = ["-std=c++20", "-I", EMULATOR, "-c", SOURCE]
        said_by([simtcc, *compile_options, "-o", folder / "ours.o", "--keep", folder])
        said_by([simtcc, folder / "ours.o", "-o", ours])
        translated: list[str | Path] = [folder / "tiled_product.translated.ii", "-fpreprocessed", "-fdirectives-only"]
        said_by(["g++", "-std=c++20", "-O1", "-w", "-fno-pie", "-c", *translated, "-o", folder / "plain.o"])
        said_by([simtcc, folder / "plain.o", "-o", plain])

        peer = launch(plain, SIZE, 1)
        print_measurement(f"tiled product {SIZE}^3, not instrumented", peer.processor)
        for mode, words in MODES.items():
            ours_alone = launch(ours, SIZE, 1, words)
            name_of_mode = f"tiled product {SIZE}^3, {mode}"
            print_measurement(
                name_of_mode, ours_alone.processor, ("the same program, not instrumented", peer.processor)
            )
            pair = launch(ours, SIZE, 2, words)
            print_measurement(f"{name_of_mode}, two workers", pair.wall, ("one worker", ours_alone.wall))
        pair = launch(plain, SIZE, 2)
        print_measurement(
            f"tiled product {SIZE}^3, not instrumented, two workers", pair.wall, ("one worker", peer.wall)
        )
        print_measurement("start of a program with one small launch", seconds_to_start(ours))


class Seconds(NamedTuple):
    """What one launch took."""

    wall: float
    processor: float


def launch(program: Path, size: int, workers: int, words: list[str] | None = None) -> Seconds:
    """Runs the program, which times its second launch."""
    wall, processor = said_by([program, str(size), str(workers), *(words or [])]).split()
    return Seconds(float(wall), float(processor))


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


def print_measurement(name: str, seconds: float, peer: tuple[str, float] | None = None) -> None:
    """One line of output; `peer`: what it is compared with, and the peer's seconds."""
    what, theirs = peer or (None, None)
    ratio = seconds / theirs if theirs else None
    print(json.dumps({"name": name, "value": seconds, "unit": "s", "peer": what, "ratio": ratio}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""What the emulator's counters and checks cost: a tiled product of two 256 x 256 matrices on one worker.

The peer is the same program, compiled from the text that simtcc hands to g++ but without the instrumentation: fibers
and barriers run, no access is seen.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

EMULATOR = Path(__file__).resolve().parents[2] / "emulator"
SOURCE = Path(__file__).resolve().parents[3] / "solutions" / "bench" / "tiled_product.cu"
MODES = {"counters": ["counters"], "checks": ["checks"], "counters and checks": ["counters", "checks"]}


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

        peer = float(said_by([plain]))
        print_measurement("not instrumented", peer, None, None)
        for mode, words in MODES.items():
            seconds = float(said_by([ours, *words]))
            print_measurement(mode, seconds, "the same program, not instrumented", seconds / peer)


def print_measurement(mode: str, seconds: float, peer: str | None, ratio: float | None) -> None:
    """One line of output."""
    print(
        json.dumps(
            {"name": f"tiled product 256^3, {mode}", "value": seconds, "unit": "s", "peer": peer, "ratio": ratio}
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))

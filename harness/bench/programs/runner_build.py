"""How long the emulator's compiler takes for one student's file, against plain g++ with the same optimisation.

What a student waits for after an edit is mostly this. The peer compiles the same translation unit without the rewrites
and without the instrumentation, so the ratio is the price of counters and checks at build time. Where a CUDA front end
is asked, all that makes a runner is timed with it and without, in turn.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from bench.lab_runner import seconds_of, seconds_of_runner
from bench.product import print_measurement

ROOT = Path(__file__).resolve().parents[3]
LAB = "07-shared-tiling"
_TURNS = 5


def compare_front_end(backend: dict[str, Any], source: Path) -> None:
    """Prints what asking the CUDA front end adds to a runner: the one that `make test` asks."""
    quickest = backend["front_ends"][-1]
    asked: list[float] = []
    alone: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(_TURNS):
            alone.append(seconds_of_runner(backend, source, Path(folder), []))
            asked.append(seconds_of_runner(backend, source, Path(folder), [f"--front-end={quickest['program']}"]))
    name = f"build the runner of {LAB}, {quickest['name']} asked"
    print_measurement(name, median(asked), ("the same without it", median(alone)))


def main(tree: Path) -> None:
    """Compiles the solution of one lab both ways and prints one measurement; another where a front end is asked."""
    source = ROOT / "solutions" / LAB / "kernel.cu"
    if not source.exists():
        print(f"SKIP: this copy has no solutions/{LAB}")
        sys.exit(77)
    description = json.loads((tree / "labs" / LAB / "lab.json").read_text(encoding="utf-8"))
    backend = description["backends"]["emulator"]
    compiler: list[str] = backend["compiler"]
    with tempfile.TemporaryDirectory() as folder:
        # simtcc keeps the text that it hands to g++: the peer compiles the very same, at the same optimisation.
        ours = [*compiler, "-c", str(source), "-o", f"{folder}/ours.o"]
        subprocess.run([*ours, "--keep", folder], check=True, capture_output=True)
        standard = next((word for word in compiler if word.startswith("-std=")), "-std=gnu++17")
        peer = ["g++", standard, "-O1", "-g", "-w", "-fpreprocessed", "-fdirectives-only", "-c"]
        peer += [f"{folder}/kernel.translated.ii"]
        peer_seconds = seconds_of([*peer, "-o", f"{folder}/peer.o"])
        our_seconds = seconds_of(ours)
    peer_name = "g++ -O1 -g of the same translated text, not instrumented"
    print_measurement(f"compile {LAB}/kernel.cu with simtcc", our_seconds, (peer_name, peer_seconds))
    if backend.get("front_ends"):
        compare_front_end(backend, source)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

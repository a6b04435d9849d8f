"""How long the emulator's compiler takes for one student's file, against plain g++ with the same optimisation.

What a student waits for after an edit is mostly this. The peer compiles the same translation unit without the rewrites
and without the instrumentation, so the ratio is the price of counters and checks at build time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LAB = "07-shared-tiling"


def seconds_of(words: list[str]) -> float:
    """Wall time of a program that must succeed."""
    begin = time.monotonic()
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return time.monotonic() - begin


def main(tree: Path) -> None:
    """Compiles the solution of one lab both ways and prints one measurement."""
    source = ROOT / "solutions" / LAB / "kernel.cu"
    if not source.exists():
        print(f"SKIP: this copy has no solutions/{LAB}")
        sys.exit(77)
    description = json.loads((tree / "labs" / LAB / "lab.json").read_text(encoding="utf-8"))
    compiler: list[str] = description["backends"]["emulator"]["compiler"]
    with tempfile.TemporaryDirectory() as folder:
        # simtcc keeps the text that it hands to g++: the peer compiles the very same, at the same optimisation.
        ours = [*compiler, "-c", str(source), "-o", f"{folder}/ours.o"]
        subprocess.run([*ours, "--keep", folder], check=True, capture_output=True)
        standard = next((word for word in compiler if word.startswith("-std=")), "-std=gnu++17")
        peer = ["g++", standard, "-O1", "-g", "-w", "-fpreprocessed", "-fdirectives-only", "-c"]
        peer += [f"{folder}/kernel.translated.ii"]
        peer_seconds = seconds_of([*peer, "-o", f"{folder}/peer.o"])
        our_seconds = seconds_of(ours)
    measurement = {
        "name": f"compile {LAB}/kernel.cu with simtcc",
        "value": our_seconds,
        "unit": "s",
        "peer": "g++ -O1 -g of the same translated text, not instrumented",
        "ratio": our_seconds / peer_seconds,
    }
    print(json.dumps(measurement))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

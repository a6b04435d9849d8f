"""The emulator with counters and all checks beside Oclgrind with its checks, on the same product: two threads each."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench.product import build, build_opencl, launch, print_measurement, seconds_of

SIZE = 256
CHECKS = ["--data-races", "--uninitialized"]


def main(tree: Path) -> None:
    """Runs both on the clock on the wall; Oclgrind needs a minute, so it is not warmed up."""
    with tempfile.TemporaryDirectory() as name:
        program = build_opencl(Path(name), {"oclgrind": "oclgrind"})
        ours = launch(build(tree, Path(name)), SIZE, 2, ["counters", "checks"]).wall
        theirs = seconds_of(
            ["oclgrind", "--num-threads", "2", *CHECKS, program, "Oclgrind", "product", str(SIZE), "1"]
        ).wall
        what = f"tiled product {SIZE}^3, two threads"
        print_measurement(f"{what}, Oclgrind with checks", theirs)
        print_measurement(f"{what}, counters and checks", ours, ("Oclgrind with its checks", theirs))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

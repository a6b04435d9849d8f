"""The emulator without its instrumentation beside PoCL, which runs the same product in OpenCL: two threads each."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from bench.product import build, build_opencl, build_plain, launch, print_measurement, seconds_of

SIZE = 512
LAUNCHES = 5  # the first one compiles


def main(tree: Path) -> None:
    """Runs both; the bound is on the wall's clock, which a busy machine disturbs more than processor time."""
    os.environ["POCL_MAX_PTHREAD_COUNT"] = "2"
    with tempfile.TemporaryDirectory() as name:
        peer = build_opencl(Path(name), {"pocl-opencl-icd": Path("/etc/OpenCL/vendors/pocl.icd")})
        build(tree, Path(name))
        ours = launch(build_plain(tree, Path(name)), SIZE, 2)
        theirs = seconds_of([peer, "Portable Computing Language", str(SIZE), str(LAUNCHES)])
        what = f"tiled product {SIZE}^3, two threads"
        print_measurement(f"{what}, PoCL", theirs.wall)
        print_measurement(f"{what}, not instrumented", ours.wall, ("PoCL", theirs.wall))
        print_measurement(f"{what}, not instrumented, processor time", ours.processor, ("PoCL's", theirs.processor))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

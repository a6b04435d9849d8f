"""The emulator with checks and counters off beside PoCL, which runs the same kernels in OpenCL: two threads each.

Ours are two: the program as simtcc compiles it, and from the same text without its instrumentation. Kernels that have
atomic operations run on one thread here, so that the histogram's time on the clock is that of one.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from bench.product import Seconds, build, build_opencl, build_plain, launch, print_measurement, seconds_of

LAUNCHES = 6  # the first one compiles
SIZES = {"stencil": 2048, "reduction": 4 << 20, "histogram": 4 << 20, "n-body": 4096}
PRODUCT_SIZE = 512


def main(tree: Path) -> None:
    """Runs both; the bound is on the wall's clock, which a busy machine disturbs more than processor time."""
    os.environ["POCL_MAX_PTHREAD_COUNT"] = "2"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        opencl = build_opencl(folder, {"pocl-opencl-icd": Path("/etc/OpenCL/vendors/pocl.icd")})

        def of_peer(kernel: str, size: int) -> Seconds:
            return seconds_of([opencl, "Portable Computing Language", kernel, str(size), str(LAUNCHES)])

        off, plain = build(tree, folder), build_plain(tree, folder)
        print_beside(
            f"tiled product {PRODUCT_SIZE}^3",
            of_peer("product", PRODUCT_SIZE),
            {"off": launch(off, PRODUCT_SIZE, 2), "plain": launch(plain, PRODUCT_SIZE, 2)},
        )
        off, plain = build(tree, folder, "kernels"), build_plain(tree, folder, "kernels")
        for kernel, size in SIZES.items():
            words = [kernel, str(size), "2"]
            ours = {"off": seconds_of([off, *words]), "plain": seconds_of([plain, *words])}
            print_beside(f"{kernel} of {size:,}", of_peer(kernel, size), ours)


def print_beside(kernel: str, theirs: Seconds, ours: dict[str, Seconds]) -> None:
    """The lines of one kernel."""
    what = f"{kernel}, two threads"
    print_measurement(f"{what}, PoCL", theirs.wall)
    for name, text in {"plain": "not instrumented", "off": "checks and counters off"}.items():
        print_measurement(f"{what}, {text}", ours[name].wall, ("PoCL", theirs.wall))
        print_measurement(f"{what}, {text}, processor time", ours[name].processor, ("PoCL's", theirs.processor))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

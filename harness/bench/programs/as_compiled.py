"""How fast kernels run as nvcc compiled them (docs/internals/sass.md): the lane instructions a second of one core, for
kernels as courses have them, with counters and with all checks. The peer is the speed that must hold.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.lab_runner import engine_words
from bench.product import EMULATOR, print_measurement, said_by, source

KERNELS = ("vector_add", "reduction", "histogram", "stencil", "tiled_product")
MODES: dict[str, tuple[list[str], float]] = {
    "counters": (["counters"], 300),
    "all checks": (["counters", "checks"], 75),
}
"""What a program is asked for, and how many million lane instructions a second it must get through."""
_RUNS = 5


def main(tree: Path) -> None:
    """Builds the program, and prints a measurement for each kernel and mode."""
    text = source("typical_kernels.cu")
    compiler = engine_words([str(tree / "bin" / "simtcc")])
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "typical_kernels"
        said_by([*compiler, "-std=c++20", "-I", EMULATOR, text, "-o", program])
        for mode, (words, bound) in MODES.items():
            for kernel in KERNELS:
                rate = median(millions_a_second(program, kernel, words) for _ in range(_RUNS))
                name = f"as compiled: {kernel.replace('_', ' ')}, {mode}"
                print_measurement(name, rate, (f"at least {bound:.0f}", bound), "million lane instructions/s")


def millions_a_second(program: Path, kernel: str, words: list[str]) -> float:
    """Lane instructions of one launch per second of processor time."""
    seconds, instructions = said_by([program, kernel, *words]).split()
    return int(instructions) / float(seconds) / 1e6


if __name__ == "__main__":
    main(Path(sys.argv[1]))

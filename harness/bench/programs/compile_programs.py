"""Processor time that simtcc takes for whole programs, with the emulator's headers prepared.

One is small, the others are programs of courses that begin with <wb.h>. The peer compiles one line of host code that
includes <iostream>.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.lab_runner import processor_seconds_of
from bench.product import EMULATOR, print_measurement

SMALL = """__global__ void add(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  add<<<4, 256>>>(a, b, 1024);
  cudaFree(a);
  cudaFree(b);
}
"""
_TURNS = 5


def main(tree: Path) -> None:
    """Prints a measurement of each program."""
    courses = EMULATOR / "tests" / "programs"
    with tempfile.TemporaryDirectory() as folder:
        small, host = Path(folder) / "small.cu", Path(folder) / "host.cpp"
        small.write_text(SMALL, encoding="utf-8")
        host.write_text("#include <iostream>\nint main() { std::cout << 1; }\n", encoding="utf-8")
        alone = ["g++", "-O1", "-g", str(host), "-o", f"{folder}/a"]
        peer = median(processor_seconds_of(alone) for _ in range(_TURNS))
        for source in [small, courses / "course_image.cu", courses / "course_matrix.cu"]:
            words = [str(tree / "bin" / "simtcc"), str(source), "-o", f"{folder}/a"]
            taken = median(processor_seconds_of(words) for _ in range(_TURNS))
            print_measurement(f"simtcc {source.name}, processor time", taken, ("g++ of <iostream> alone", peer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

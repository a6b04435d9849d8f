// expect: correct=fail safe=pass fast=not_measured
// Fills the counts with zeros.
#include <cuda_runtime.h>

void tally(const unsigned char*, int* counts, int sequences, int) {
  cudaMemset(counts, 0, 16 * sizeof(int) * static_cast<size_t>(sequences));
}

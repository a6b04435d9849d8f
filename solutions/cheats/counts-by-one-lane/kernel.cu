// lab: 14-occupancy
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..25
// else-earns: 80..100
// One lane of each warp takes 32 sequences, one after the other, with an indexed array: no other lane's index differs.
#include <cuda_runtime.h>

constexpr int kinds = 16, block_threads = 256;

__global__ void count(const unsigned char* symbols, int* counts, int sequences, int length) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 != 0) return;
  for (int s = first; s < min(first + 32, sequences); ++s) {
    int mine[kinds] = {};
    for (int i = 0; i < length; ++i) mine[symbols[i * sequences + s]]++;
    for (int k = 0; k < kinds; ++k) counts[k * sequences + s] = mine[k];
  }
}

void tally(const unsigned char* symbols, int* counts, int sequences, int length) {
  count<<<(sequences + block_threads - 1) / block_threads, block_threads>>>(symbols, counts, sequences, length);
}

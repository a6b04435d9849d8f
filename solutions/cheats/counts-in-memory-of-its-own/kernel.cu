// lab: 14-occupancy
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 15..40
// else-earns: 70..95
// The counts of each thread stand in device memory of the program's own: no local array is indexed, and nothing is gained.
#include <cuda_runtime.h>

constexpr int kinds = 16, block_threads = 256;

__global__ void count(const unsigned char* symbols, int* counts, int* own, int sequences, int length) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= sequences) return;
  for (int k = 0; k < kinds; ++k) own[k * sequences + s] = 0;
  for (int i = 0; i < length; ++i) own[symbols[i * sequences + s] * sequences + s]++;
  for (int k = 0; k < kinds; ++k) counts[k * sequences + s] = own[k * sequences + s];
}

void tally(const unsigned char* symbols, int* counts, int sequences, int length) {
  int* own = nullptr;
  cudaMalloc(&own, sizeof(int) * kinds * sequences);
  count<<<(sequences + block_threads - 1) / block_threads, block_threads>>>(symbols, counts, own, sequences, length);
  cudaFree(own);
}

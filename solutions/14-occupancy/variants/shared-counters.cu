// expect: correct=pass safe=pass fast=85..95
// The counts in shared memory, a column for each thread: an index may choose there, but 16 KB a block leave room for five.
#include <cuda_runtime.h>

constexpr int kinds = 16, block_threads = 256;

__global__ void tally_sequences(const unsigned char* symbols, int* counts, int sequences, int length) {
  __shared__ int mine[kinds][block_threads];
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= sequences) return;
  for (int k = 0; k < kinds; k++) mine[k][threadIdx.x] = 0;
  for (int i = 0; i < length; i++) {
    int symbol = symbols[i * sequences + s];
    mine[symbol][threadIdx.x]++;
  }
  for (int k = 0; k < kinds; k++) counts[k * sequences + s] = mine[k][threadIdx.x];
}

void tally(const unsigned char* symbols, int* counts, int sequences, int length) {
  const int blocks = (sequences + block_threads - 1) / block_threads;
  tally_sequences<<<blocks, block_threads>>>(symbols, counts, sequences, length);
}

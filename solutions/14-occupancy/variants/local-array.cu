// expect: correct=pass safe=pass fast=40..50
// An array of counts for each thread, indexed by the symbol: no register has an index, so it lies in local memory.
// Without the topic: 70 of 100 points.
#include <cuda_runtime.h>

constexpr int kinds = 16, block_threads = 256;

__global__ void tally_sequences(const unsigned char* symbols, int* counts, int sequences, int length) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= sequences) return;
  int mine[kinds];
  for (int k = 0; k < kinds; k++) mine[k] = 0;
  for (int i = 0; i < length; i++) {
    int symbol = symbols[i * sequences + s];
    mine[symbol]++;
  }
  for (int k = 0; k < kinds; k++) counts[k * sequences + s] = mine[k];
}

void tally(const unsigned char* symbols, int* counts, int sequences, int length) {
  const int blocks = (sequences + block_threads - 1) / block_threads;
  tally_sequences<<<blocks, block_threads>>>(symbols, counts, sequences, length);
}

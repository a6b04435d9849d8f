// expect: correct=pass safe=pass fast=25..40
// The first idea: each symbol adds one to its count where the counts are wanted, in global memory.
#include <cuda_runtime.h>

constexpr int kinds = 16, block_threads = 256;

__global__ void tally_sequences(const unsigned char* symbols, int* counts, int sequences, int length) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= sequences) return;
  for (int k = 0; k < kinds; k++) counts[k * sequences + s] = 0;
  for (int i = 0; i < length; i++) counts[symbols[i * sequences + s] * sequences + s]++;
}

void tally(const unsigned char* symbols, int* counts, int sequences, int length) {
  tally_sequences<<<(sequences + block_threads - 1) / block_threads, block_threads>>>(symbols, counts, sequences,
                                                                                      length);
}

// expect: correct=pass safe=pass fast=90..100
// Four counts of 8 bits in one register, added up before they can overflow: no index, and fewer instructions a symbol.
#include <cuda_runtime.h>

constexpr int kinds = 16, words = kinds / 4, block_threads = 128;

__global__ void tally_sequences(const unsigned char* symbols, int* counts, int sequences, int length) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= sequences) return;
  int sums[kinds] = {};
  for (int first = 0; first < length; first += 255) {
    unsigned packed[words] = {};
    int last = min(first + 255, length);
    for (int i = first; i < last; i++) {
      unsigned symbol = symbols[i * sequences + s];
      unsigned one = 1u << (symbol % 4 * 8);
#pragma unroll
      for (int w = 0; w < words; w++) packed[w] += symbol / 4 == w ? one : 0;
    }
#pragma unroll
    for (int k = 0; k < kinds; k++) sums[k] += packed[k / 4] >> (k % 4 * 8) & 255;
  }
#pragma unroll
  for (int k = 0; k < kinds; k++) counts[k * sequences + s] = sums[k];
}

void tally(const unsigned char* symbols, int* counts, int sequences, int length) {
  const int blocks = (sequences + block_threads - 1) / block_threads;
  tally_sequences<<<blocks, block_threads>>>(symbols, counts, sequences, length);
}

// expect: correct=pass safe=pass fast=65..80
// The threads that compare are neighbours, down to the last: warps leave as a whole until one is left, and that one diverges.
#include <cuda_runtime.h>

constexpr int segment = 1024;
constexpr int block_size = 256;

__global__ void largest_of_segment(const float* values, float* largest, int n) {
  __shared__ float best[block_size];
  const int t = threadIdx.x;
  const int begin = blockIdx.x * segment;
  float own = -INFINITY;
  for (int i = begin + t; i < begin + segment; i += block_size) {
    if (i < n) own = fmaxf(own, values[i]);
  }
  best[t] = own;
  for (int half = block_size / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) best[t] = fmaxf(best[t], best[t + half]);
  }
  if (t == 0) largest[blockIdx.x] = best[0];
}

void largest_of_segments(const float* values, float* largest, int n) {
  const int segments = (n + segment - 1) / segment;
  largest_of_segment<<<segments, block_size>>>(values, largest, n);
}

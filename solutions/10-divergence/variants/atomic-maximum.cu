// expect: correct=pass safe=pass fast=20..40
// No tree: every thread brings its value to one word of shared memory by an atomic operation. No lane idles, and all of them wait.
// Without the topic: 62 of 100 points.
#include <cuda_runtime.h>

constexpr int segment = 1024;
constexpr int block_size = 256;

// Order of floats as order of integers, and back.
__device__ int ordered(int bits) { return bits < 0 ? bits ^ 0x7fffffff : bits; }

__global__ void largest_of_segment(const float* values, float* largest, int n) {
  __shared__ int best;
  const int t = threadIdx.x;
  const int begin = blockIdx.x * segment;
  float own = -INFINITY;
  for (int i = begin + t; i < begin + segment; i += block_size) {
    if (i < n) own = fmaxf(own, values[i]);
  }
  if (t == 0) best = ordered(__float_as_int(-INFINITY));
  __syncthreads();
  atomicMax(&best, ordered(__float_as_int(own)));
  __syncthreads();
  if (t == 0) largest[blockIdx.x] = __int_as_float(ordered(best));
}

void largest_of_segments(const float* values, float* largest, int n) {
  const int segments = (n + segment - 1) / segment;
  largest_of_segment<<<segments, block_size>>>(values, largest, n);
}

// expect: correct=pass safe=pass fast=20..40
// A thread for each segment: no tree, nobody parts, and each lane reads from a sector of its own.
// Without the topic: 64 of 100 points.
#include <cuda_runtime.h>

constexpr int segment = 1024;

__global__ void largest_of_segment(const float* values, float* largest, int n) {
  const int s = blockIdx.x * 32 + threadIdx.x;
  if (s * segment >= n) return;
  float own = values[s * segment];
  for (int i = 1; i < segment; ++i) {
    if (s * segment + i < n) own = fmaxf(own, values[s * segment + i]);
  }
  largest[s] = own;
}

void largest_of_segments(const float* values, float* largest, int n) {
  const int segments = (n + segment - 1) / segment;
  largest_of_segment<<<(segments + 31) / 32, 32>>>(values, largest, n);
}

// expect: correct=pass safe=pass fast=95..100
// A warp for each segment, eight warps a block: 32 values a lane, and then shuffles. Nobody parts until the result is stored.
#include <cuda_runtime.h>

constexpr int segment = 1024;

__global__ void largest_of_segment(const float* values, float* largest, int n) {
  const int lane = threadIdx.x % 32, s = blockIdx.x * 8 + threadIdx.x / 32;
  if (s * segment >= n) return;
  float own = -INFINITY;
  for (int i = lane; i < segment; i += 32) {
    if (s * segment + i < n) own = fmaxf(own, values[s * segment + i]);
  }
  for (int distance = 16; distance > 0; distance /= 2) own = fmaxf(own, __shfl_xor_sync(0xffffffff, own, distance));
  if (lane == 0) largest[s] = own;
}

void largest_of_segments(const float* values, float* largest, int n) {
  const int segments = (n + segment - 1) / segment;
  largest_of_segment<<<(segments + 7) / 8, 256>>>(values, largest, n);
}

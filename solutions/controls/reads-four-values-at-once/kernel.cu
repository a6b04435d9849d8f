// lab: 10-divergence
// expect: pass
// earns: 95..100
// Four values in one load where the segment is whole, and one after the other in the segment at the end; then shuffles in two warps.
#include <cuda_runtime.h>

__device__ float larger_of(float4 four) { return fmaxf(fmaxf(four.x, four.y), fmaxf(four.z, four.w)); }

__global__ void largest_of_segment(const float* values, float* largest, int n) {
  __shared__ float best[64];
  const int t = threadIdx.x, begin = blockIdx.x * 1024;
  float own = -INFINITY;
  if (begin + 1024 <= n) {
    const float4* fours = reinterpret_cast<const float4*>(values + begin);
    for (int i = t; i < 256; i += 64) own = fmaxf(own, larger_of(fours[i]));
  } else {
    for (int i = begin + t; i < n; i += 64) own = fmaxf(own, values[i]);
  }
  best[t] = own;
  __syncthreads();
  if (t >= 32) return;
  own = fmaxf(own, best[t + 32]);
  for (int distance = 16; distance > 0; distance /= 2) own = fmaxf(own, __shfl_xor_sync(0xffffffff, own, distance));
  if (t == 0) largest[blockIdx.x] = own;
}

void largest_of_segments(const float* values, float* largest, int n) {
  largest_of_segment<<<(n + 1023) / 1024, 64>>>(values, largest, n);
}

// lab: 10-divergence
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 15..35
// else-earns: 85..100
// The interleaved tree, and beside it 128 reads by all lanes that nobody needs: the mean over all requests has few idle lanes.
#include <cuda_runtime.h>

__global__ void tree(const float* values, float* largest, int n) {
  __shared__ float best[256];
  const int t = threadIdx.x, begin = blockIdx.x * 1024;
  float own = -INFINITY;
  for (int i = begin + t; i < begin + 1024; i += 256)
    if (i < n) own = fmaxf(own, values[i]);
  best[t] = own;
  volatile float* beside = best;
  for (int round = 0; round < 128; ++round) own = beside[t];
  for (int stride = 1; stride < 256; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0) best[t] = fmaxf(best[t], best[t + stride]);
  }
  if (t == 0) largest[blockIdx.x] = best[0];
}

void largest_of_segments(const float* values, float* largest, int n) {
  tree<<<(n + 1023) / 1024, 256>>>(values, largest, n);
}

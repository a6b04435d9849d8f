// lab: 13-coarsening
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 15..25
// else-earns: 15..25
// A thread computes one element, of values that come by shuffles and four at once: it reads little. Another kernel stores four
// of these results a thread.
#include <cuda_runtime.h>

constexpr int tile = 16;

__global__ void compute(const float* m, const float* n, float* results, int j, int k, int l) {
  __shared__ __align__(16) float columns[tile][tile + 4];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;
  float sum = 0;
  for (int phase = 0; phase < k; phase += tile) {
    const float of_m = row < j && phase + tx < k ? m[row * k + phase + tx] : 0;
    columns[tx][ty] = phase + ty < k && col < l ? n[(phase + ty) * l + col] : 0;
    __syncthreads();
    for (int i = 0; i < tile; i += 4) {
      const float4 of_n = *reinterpret_cast<const float4*>(&columns[tx][i]);
      sum += __shfl_sync(0xffffffff, of_m, i, tile) * of_n.x;
      sum += __shfl_sync(0xffffffff, of_m, i + 1, tile) * of_n.y;
      sum += __shfl_sync(0xffffffff, of_m, i + 2, tile) * of_n.z;
      sum += __shfl_sync(0xffffffff, of_m, i + 3, tile) * of_n.w;
    }
    __syncthreads();
  }
  if (row < j && col < l) results[row * l + col] = sum;
}
__global__ void bring_back(const float* results, float* p, int count) {
  const int begin = blockIdx.x * 1024 + threadIdx.x;
  for (int i = begin; i < begin + 1024 && i < count; i += 256) p[i] = results[i];
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  float* results = nullptr;
  cudaMalloc(&results, j * l * sizeof(float));
  compute<<<dim3((l + tile - 1) / tile, (j + tile - 1) / tile), dim3(tile, tile)>>>(m, n, results, j, k, l);
  bring_back<<<(j * l + 1023) / 1024, 256>>>(results, p, j * l);
  cudaFree(results);
}

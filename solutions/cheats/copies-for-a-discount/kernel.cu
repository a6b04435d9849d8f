// lab: 13-coarsening
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 55..65
// else-earns: 70..80
// Three columns a thread instead of four. The kernel reads a copy of m, of which a pass was free as if it brought results back.
#include <cuda_runtime.h>

constexpr int tile = 16, factor = 3;

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[tile][tile], tile_n[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * tile + ty;
  float sum[factor] = {};
  for (int phase = 0; phase < k; phase += tile) {
    tile_m[ty][tx] = row < j && phase + tx < k ? m[row * k + phase + tx] : 0;
    for (int c = 0; c < factor; ++c) {
      const int col = (blockIdx.x * factor + c) * tile + tx;
      tile_n[ty][tx] = phase + ty < k && col < l ? n[(phase + ty) * l + col] : 0;
      __syncthreads();
      for (int i = 0; i < tile; ++i) sum[c] += tile_m[ty][i] * tile_n[i][tx];
      __syncthreads();
    }
  }
  for (int c = 0; c < factor; ++c)
    if (const int col = (blockIdx.x * factor + c) * tile + tx; row < j && col < l) p[row * l + col] = sum[c];
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  float* own = nullptr;
  cudaMalloc(&own, j * k * sizeof(float));
  cudaMemcpy(own, m, j * k * sizeof(float), cudaMemcpyDeviceToDevice);
  const int cols = tile * factor;
  multiply<<<dim3((l + cols - 1) / cols, (j + tile - 1) / tile), dim3(tile, tile)>>>(own, n, p, j, k, l);
  cudaFree(own);
}

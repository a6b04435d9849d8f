// lab: 13-coarsening
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 45..52
// else-earns: 95..100
// Blocks of 32 x 32 threads make one tile after the other: four results a thread, which share no load.
#include <cuda_runtime.h>

constexpr int tile = 32, each = 4;

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[tile][tile], tile_n[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile + y;
  for (int c = 0; c < each; ++c) {
    const int col = (blockIdx.x * each + c) * tile + x;
    float sum = 0;
    for (int phase = 0; phase < k; phase += tile) {
      tile_m[y][x] = row < j && phase + x < k ? m[row * k + phase + x] : 0.0f;
      tile_n[y][x] = phase + y < k && col < l ? n[(phase + y) * l + col] : 0.0f;
      __syncthreads();
      for (int i = 0; i < tile; ++i) sum += tile_m[y][i] * tile_n[i][x];
      __syncthreads();
    }
    if (row < j && col < l) p[row * l + col] = sum;
  }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  const int cols = each * tile;
  multiply<<<dim3((l + cols - 1) / cols, (j + tile - 1) / tile), dim3(tile, tile)>>>(m, n, p, j, k, l);
}

// lab: 13-coarsening
// expect: pass
// earns: 95..100
// Four tiles of P below each other: a tile of N serves all of them, and M is loaded for each.
#include <cuda_runtime.h>

constexpr int tile = 16, factor = 4;

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[tile][tile], tile_n[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * tile + x, first_row = blockIdx.y * tile * factor + y;
  float sums[factor] = {};
  for (int phase = 0; phase < k; phase += tile) {
    tile_n[y][x] = phase + y < k && col < l ? n[(phase + y) * l + col] : 0.0f;
    for (int r = 0; r < factor; ++r) {
      const int row = first_row + r * tile;
      tile_m[y][x] = row < j && phase + x < k ? m[row * k + phase + x] : 0.0f;
      __syncthreads();
      for (int i = 0; i < tile; ++i) sums[r] += tile_m[y][i] * tile_n[i][x];
      __syncthreads();
    }
  }
  for (int r = 0; r < factor; ++r) {
    const int row = first_row + r * tile;
    if (row < j && col < l) p[row * l + col] = sums[r];
  }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  const int rows = tile * factor;
  multiply<<<dim3((l + tile - 1) / tile, (j + rows - 1) / rows), dim3(tile, tile)>>>(m, n, p, j, k, l);
}

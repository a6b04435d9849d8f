// lab: 13-coarsening
// expect: pass
// earns: 95..100
// The textbook's coarsening on a persistent grid: as many blocks as a large GPU holds, which loop over the tiles of P. Small
// products leave most of them without a tile.
#include <cuda_runtime.h>

constexpr int tile = 16, factor = 4, cols = tile * factor, blocks = 264;

__device__ void make(const float* m, const float* n, float* p, int j, int k, int l, int row, int first_col) {
  __shared__ float tile_m[tile][tile], tile_n[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  float sums[factor] = {};
  for (int phase = 0; phase < k; phase += tile) {
    tile_m[y][x] = row < j && phase + x < k ? m[row * k + phase + x] : 0.0f;
    for (int c = 0; c < factor; ++c) {
      const int col = first_col + c * tile;
      tile_n[y][x] = phase + y < k && col < l ? n[(phase + y) * l + col] : 0.0f;
      __syncthreads();
      for (int i = 0; i < tile; ++i) sums[c] += tile_m[y][i] * tile_n[i][x];
      __syncthreads();
    }
  }
  for (int c = 0; c < factor; ++c) {
    const int col = first_col + c * tile;
    if (row < j && col < l) p[row * l + col] = sums[c];
  }
}

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  const int across = (l + cols - 1) / cols, all = across * ((j + tile - 1) / tile);
  for (int i = blockIdx.x; i < all; i += gridDim.x)
    make(m, n, p, j, k, l, i / across * tile + threadIdx.y, i % across * cols + threadIdx.x);
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  multiply<<<blocks, dim3(tile, tile)>>>(m, n, p, j, k, l);
}

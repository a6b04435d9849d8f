// lab: 17-capstone-gemm
// expect: pass
// earns: 45..60
// A block makes two tiles of C, one after the other: blocks that loop over tiles are no cheat while there are enough.
#include <cuda_runtime.h>

constexpr int tile = 128, depth = 8, part = 8, threads = 256;

__global__ __launch_bounds__(threads, 2) void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ float slice_a[tile][depth], slice_b[depth][tile];
  const int thread = threadIdx.x, tiles_across = (l + tile - 1) / tile, tiles = (j + tile - 1) / tile * tiles_across;
  const int row = thread / (tile / part) * part, col = thread % (tile / part) * part;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int first_row = t / tiles_across * tile, first_col = t % tiles_across * tile;
    float sums[part][part] = {};
    for (int step = 0; step < k; step += depth) {
      for (int at = thread; at < tile * depth; at += threads) {
        const int a_row = first_row + at / depth, a_col = step + at % depth;
        slice_a[at / depth][at % depth] = a_row < j && a_col < k ? a[static_cast<size_t>(a_row) * k + a_col] : 0.0f;
        const int b_row = step + at / tile, b_col = first_col + at % tile;
        slice_b[at / tile][at % tile] = b_row < k && b_col < l ? b[static_cast<size_t>(b_row) * l + b_col] : 0.0f;
      }
      __syncthreads();
      for (int d = 0; d < depth; ++d) {
        float left[part], right[part];
        for (int r = 0; r < part; ++r) left[r] = slice_a[row + r][d];
        for (int n = 0; n < part; ++n) right[n] = slice_b[d][col + n];
        for (int r = 0; r < part; ++r)
          for (int n = 0; n < part; ++n) sums[r][n] += left[r] * right[n];
      }
      __syncthreads();
    }
    for (int r = 0; r < part; ++r)
      for (int n = 0; n < part; ++n)
        if (first_row + row + r < j && first_col + col + n < l)
          c[static_cast<size_t>(first_row + row + r) * l + first_col + col + n] = sums[r][n];
  }
}

void gemm(const float* a, const float* b, float* c, int j, int k, int l) {
  const int tiles = ((j + tile - 1) / tile) * ((l + tile - 1) / tile);
  multiply<<<(tiles + 1) / 2, threads>>>(a, b, c, j, k, l);
}

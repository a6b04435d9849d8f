// lab: 13-coarsening
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..23
// else-earns: 95..100
// Eight lanes of each warp make 16 x 16 results each, more than a thread has registers for. All lanes load.
#include <cuda_runtime.h>

constexpr int side = 16, depth = 16, busy = 8, rows = 64, cols = 256, threads = 256;

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[rows][depth], tile_n[depth][cols];
  const int top = blockIdx.y * rows, left = blockIdx.x * cols, lane = threadIdx.x % 32;
  const int patch = threadIdx.x / 32 * busy + lane, y = patch / 16 * side, x = patch % 16 * side;
  float sums[side][side] = {};
  for (int phase = 0; phase < k; phase += depth) {
    for (int i = threadIdx.x; i < rows * depth; i += threads) {
      const int row = top + i / depth, col = phase + i % depth;
      tile_m[i / depth][i % depth] = row < j && col < k ? m[row * k + col] : 0.0f;
    }
    for (int i = threadIdx.x; i < depth * cols; i += threads) {
      const int row = phase + i / cols, col = left + i % cols;
      tile_n[i / cols][i % cols] = row < k && col < l ? n[row * l + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < depth && lane < busy; ++i) {
      float of_m[side], of_n[side];
      for (int r = 0; r < side; ++r) of_m[r] = tile_m[y + r][i];
      for (int c = 0; c < side; ++c) of_n[c] = tile_n[i][x + c];
      for (int r = 0; r < side; ++r)
        for (int c = 0; c < side; ++c) sums[r][c] += of_m[r] * of_n[c];
    }
    __syncthreads();
  }
  for (int r = 0; r < side && lane < busy; ++r)
    for (int c = 0; c < side; ++c)
      if (top + y + r < j && left + x + c < l) p[(top + y + r) * l + left + x + c] = sums[r][c];
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  multiply<<<dim3((l + cols - 1) / cols, (j + rows - 1) / rows), threads>>>(m, n, p, j, k, l);
}

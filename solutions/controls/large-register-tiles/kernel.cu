// lab: 13-coarsening
// expect: pass
// earns: 95..100
// Each thread makes 8 × 8 results in registers, as the fastest products do: two warps a block, eight in all.
#include <cuda_runtime.h>

constexpr int side = 64, depth = 16, each = 8;

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[side][depth + 1], tile_n[depth][side];
  const int top = blockIdx.y * side, left = blockIdx.x * side, x = threadIdx.x % each, y = threadIdx.x / each;
  float sums[each][each] = {};
  for (int phase = 0; phase < k; phase += depth) {
    for (int i = threadIdx.x; i < side * depth; i += 64) {
      const int row = top + i / depth, col = phase + i % depth;
      tile_m[i / depth][i % depth] = row < j && col < k ? m[row * k + col] : 0.0f;
    }
    for (int i = threadIdx.x; i < side * depth; i += 64) {
      const int row = phase + i / side, col = left + i % side;
      tile_n[i / side][i % side] = row < k && col < l ? n[row * l + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < depth; ++i)
      for (int a = 0; a < each; ++a)
        for (int b = 0; b < each; ++b) sums[a][b] += tile_m[y + a * each][i] * tile_n[i][x + b * each];
    __syncthreads();
  }
  for (int a = 0; a < each; ++a)
    for (int b = 0; b < each; ++b) {
      const int row = top + y + a * each, col = left + x + b * each;
      if (row < j && col < l) p[row * l + col] = sums[a][b];
    }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  multiply<<<dim3((l + side - 1) / side, (j + side - 1) / side), 64>>>(m, n, p, j, k, l);
}

// lab: 13-coarsening
// expect: pass
// earns: 95..100
// A thread makes two rows by two columns of P: both operands are loaded half as often.
#include <cuda_runtime.h>

constexpr int depth = 16, each = 2, side = each * depth;

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[side][depth], tile_n[depth][side];
  const int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * side + y, left = blockIdx.x * side + x;
  float sums[each][each] = {};
  for (int phase = 0; phase < k; phase += depth) {
    for (int r = 0; r < each; ++r) {
      const int row = top + r * depth;
      tile_m[y + r * depth][x] = row < j && phase + x < k ? m[row * k + phase + x] : 0.0f;
    }
    for (int c = 0; c < each; ++c) {
      const int col = left + c * depth;
      tile_n[y][x + c * depth] = phase + y < k && col < l ? n[(phase + y) * l + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < depth; ++i)
      for (int r = 0; r < each; ++r)
        for (int c = 0; c < each; ++c) sums[r][c] += tile_m[y + r * depth][i] * tile_n[i][x + c * depth];
    __syncthreads();
  }
  for (int r = 0; r < each; ++r)
    for (int c = 0; c < each; ++c) {
      const int row = top + r * depth, col = left + c * depth;
      if (row < j && col < l) p[row * l + col] = sums[r][c];
    }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  multiply<<<dim3((l + side - 1) / side, (j + side - 1) / side), dim3(depth, depth)>>>(m, n, p, j, k, l);
}

// expect: correct=pass safe=pass fast=30..48
// Register tiling in one direction: a block makes 64 × 64 of C, a thread eight rows of one column.
#include <cuda_runtime.h>

constexpr int tile = 64, depth = 8, part = 8, threads = tile * tile / part;

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ float slice_a[tile][depth], slice_b[depth][tile];
  const int thread = threadIdx.x, first_row = blockIdx.y * tile, first_col = blockIdx.x * tile;
  const int row = thread / tile * part, col = thread % tile;
  float sums[part] = {};
  for (int step = 0; step < k; step += depth) {
    for (int at = thread; at < tile * depth; at += threads) {
      const int a_row = first_row + at / depth, a_col = step + at % depth;
      slice_a[at / depth][at % depth] = a_row < j && a_col < k ? a[static_cast<size_t>(a_row) * k + a_col] : 0.0f;
      const int b_row = step + at / tile, b_col = first_col + at % tile;
      slice_b[at / tile][at % tile] = b_row < k && b_col < l ? b[static_cast<size_t>(b_row) * l + b_col] : 0.0f;
    }
    __syncthreads();
    for (int d = 0; d < depth; ++d) {
      const float right = slice_b[d][col];
#pragma unroll
      for (int r = 0; r < part; ++r) sums[r] += slice_a[row + r][d] * right;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < part; ++r)
    if (first_row + row + r < j && first_col + col < l)
      c[static_cast<size_t>(first_row + row + r) * l + first_col + col] = sums[r];
}

void gemm(const float* a, const float* b, float* c, int j, int k, int l) {
  multiply<<<dim3((l + tile - 1) / tile, (j + tile - 1) / tile), threads>>>(a, b, c, j, k, l);
}

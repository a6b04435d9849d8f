// lab: 13-coarsening
// expect: pass
// earns: 94..100
// Blocks of 384 threads with four results each, whose tiles hang over the benchmark's edge.
#include <cuda_runtime.h>

constexpr int depth = 16, width = 32, height = 12, rows = 2 * height, cols = 2 * width;

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[rows][depth], tile_n[depth][cols];
  const int x = threadIdx.x, y = threadIdx.y, first_row = blockIdx.y * rows, first_col = blockIdx.x * cols;
  float sums[2][cols / width] = {};
  for (int phase = 0; phase < k; phase += depth) {
    for (int i = y * width + x; i < rows * depth; i += width * height) {
      const int row = first_row + i / depth, col = phase + i % depth;
      tile_m[i / depth][i % depth] = row < j && col < k ? m[row * k + col] : 0.0f;
    }
    for (int i = y * width + x; i < depth * cols; i += width * height) {
      const int row = phase + i / cols, col = first_col + i % cols;
      tile_n[i / cols][i % cols] = row < k && col < l ? n[row * l + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < depth; ++i)
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < cols / width; ++c) sums[r][c] += tile_m[y + r * height][i] * tile_n[i][x + c * width];
    __syncthreads();
  }
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < cols / width; ++c) {
      const int row = first_row + y + r * height, col = first_col + x + c * width;
      if (row < j && col < l) p[row * l + col] = sums[r][c];
    }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  multiply<<<dim3((l + cols - 1) / cols, (j + rows - 1) / rows), dim3(width, height)>>>(m, n, p, j, k, l);
}

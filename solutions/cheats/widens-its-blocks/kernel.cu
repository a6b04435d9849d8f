// lab: 13-coarsening
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 15..22
// else-earns: 65..75
// Blocks of 64 x 16 threads, one result a thread: as few loads as with four results a thread, and no coarsening.
#include <cuda_runtime.h>

constexpr int depth = 16, cols = 64;

__global__ void multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[depth][depth], tile_n[depth][cols];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * depth + y, col = blockIdx.x * cols + x;
  float sum = 0;
  for (int phase = 0; phase < k; phase += depth) {
    if (x < depth) tile_m[y][x] = row < j && phase + x < k ? m[row * k + phase + x] : 0.0f;
    tile_n[y][x] = phase + y < k && col < l ? n[(phase + y) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < depth; ++i) sum += tile_m[y][i] * tile_n[i][x];
    __syncthreads();
  }
  if (row < j && col < l) p[row * l + col] = sum;
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  multiply<<<dim3((l + cols - 1) / cols, (j + depth - 1) / depth), dim3(cols, depth)>>>(m, n, p, j, k, l);
}

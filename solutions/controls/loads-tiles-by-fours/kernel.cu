// lab: 07-shared-tiling
// expect: pass
// earns: 95..100
// Tiles of shared memory, filled by loads of four elements where the rows' length allows it.
#include <cuda_runtime.h>

constexpr int tile = 32;

__device__ void fill(float (*to)[tile], const float* from, int rows, int cols, int first_row, int first_col) {
  const int y = threadIdx.y, row = first_row + y, col = first_col + 4 * threadIdx.x;
  if (cols % 4 == 0 && row < rows && col < cols) {
    *reinterpret_cast<float4*>(&to[y][4 * threadIdx.x]) = *reinterpret_cast<const float4*>(&from[row * cols + col]);
    return;
  }
  for (int n = 0; n < 4; ++n)
    to[y][4 * threadIdx.x + n] = row < rows && col + n < cols ? from[row * cols + col + n] : 0;
}

__global__ void product(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ __align__(16) float of_a[tile][tile], of_b[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, first = blockIdx.x * tile, x = 4 * threadIdx.x;
  float sums[4] = {};
  for (int phase = 0; phase < k; phase += tile) {
    fill(of_a, a, j, k, blockIdx.y * tile, phase);
    fill(of_b, b, k, l, phase, first);
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      for (int n = 0; n < 4; ++n) sums[n] += of_a[threadIdx.y][i] * of_b[i][x + n];
    __syncthreads();
  }
  for (int n = 0; n < 4; ++n)
    if (row < j && first + x + n < l) c[row * l + first + x + n] = sums[n];
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  product<<<dim3((l + tile - 1) / tile, (j + tile - 1) / tile), dim3(8, tile)>>>(a, b, c, j, k, l);
}

// lab: 07-shared-tiling
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..35
// else-earns: 75..100
// A thread makes 16 x 16 results in an array of its own, more than it has registers for. The grid has a thread for each
// result, so 255 of 256 have nothing to do.
#include <cuda_runtime.h>

constexpr int side = 16;

__global__ void product(const float* a, const float* b, float* c, int j, int k, int l) {
  const int top = side * (blockIdx.y * blockDim.y + threadIdx.y), left = side * (blockIdx.x * blockDim.x + threadIdx.x);
  if (top >= j || left >= l) return;
  float sums[side][side] = {}, column[side];
  for (int i = 0; i < k; ++i) {
    for (int y = 0; y < side; ++y) column[y] = top + y < j ? a[(top + y) * k + i] : 0.0f;
    for (int x = 0; x < side && left + x < l; ++x) {
      const float right = b[i * l + left + x];
      for (int y = 0; y < side; ++y) sums[y][x] += column[y] * right;
    }
  }
  for (int y = 0; y < side && top + y < j; ++y)
    for (int x = 0; x < side && left + x < l; ++x) c[(top + y) * l + left + x] = sums[y][x];
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const dim3 block(16, 16), grid((l + 15) / 16, (j + 15) / 16);
  product<<<grid, block>>>(a, b, c, j, k, l);
}

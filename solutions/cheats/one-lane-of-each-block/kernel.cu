// lab: 07-shared-tiling
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..12
// else-earns: 90..100
// Blocks of one thread, with tiles in local memory: each element is loaded as often as by a tiled kernel.
#include <cuda_runtime.h>
constexpr int t = 16;
__global__ void tile(const float* a, const float* b, float* c, int j, int k, int l) {
  const int row = blockIdx.y * t, col = blockIdx.x * t;
  float sum[t][t] = {}, bs[t];
  for (int p = 0; p < k; ++p) {
    for (int x = 0; x < t; ++x) bs[x] = col + x < l ? b[p * l + col + x] : 0;
    for (int y = 0; y < t && row + y < j; ++y) {
      const float as = a[(row + y) * k + p];
      for (int x = 0; x < t; ++x) sum[y][x] += as * bs[x];
    }
  }
  for (int y = 0; y < t && row + y < j; ++y)
    for (int x = 0; x < t && col + x < l; ++x) c[(row + y) * l + col + x] = sum[y][x];
}
void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  tile<<<dim3((l + t - 1) / t, (j + t - 1) / t), 1>>>(a, b, c, j, k, l);
}

// lab: 07-shared-tiling
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..45
// else-earns: 70..100
// No tile in shared memory: a thread reads four elements by one load, which counts a quarter of the loads.
#include <cuda_runtime.h>

__device__ float4 four(const float* from, bool aligned, int valid) {
  if (aligned && valid >= 4) return *reinterpret_cast<const float4*>(from);
  return make_float4(valid > 0 ? from[0] : 0, valid > 1 ? from[1] : 0, valid > 2 ? from[2] : 0,
                     valid > 3 ? from[3] : 0);
}
__global__ void product(const float* a, const float* b, float* c, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= j || col >= l) return;
  float sums[4] = {};
  for (int i = 0; i < k; i += 4) {
    const float4 of_a = four(&a[row * k + i], k % 4 == 0, k - i);
    const float values[4] = {of_a.x, of_a.y, of_a.z, of_a.w};
    for (int n = 0; n < 4 && i + n < k; ++n) {
      const float4 of_b = four(&b[(i + n) * l + col], l % 4 == 0, l - col);
      sums[0] += values[n] * of_b.x;
      sums[1] += values[n] * of_b.y;
      sums[2] += values[n] * of_b.z;
      sums[3] += values[n] * of_b.w;
    }
  }
  for (int n = 0; n < 4 && col + n < l; ++n) c[row * l + col + n] = sums[n];
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  product<<<dim3((l + 63) / 64, (j + 15) / 16), dim3(16, 16)>>>(a, b, c, j, k, l);
}

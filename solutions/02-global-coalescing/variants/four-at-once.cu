// expect: correct=pass safe=pass fast=95..100
// 16 bytes a thread in one request where the size allows it: four wide loads are as good as four narrow ones side by side.
#include <cuda_runtime.h>

__device__ float factor_of(const float* factors, int i, int rows, int cols, bool by_rows) {
  return factors[by_rows ? i / cols : i % rows];
}

__global__ void scale_flat(const float* matrix, const float* factors, float* scaled, int rows, int cols, bool by_rows) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int n = rows * cols;
  if (first + 4 <= n) {
    float4 four = *reinterpret_cast<const float4*>(matrix + first);
    four.x *= factor_of(factors, first, rows, cols, by_rows);
    four.y *= factor_of(factors, first + 1, rows, cols, by_rows);
    four.z *= factor_of(factors, first + 2, rows, cols, by_rows);
    four.w *= factor_of(factors, first + 3, rows, cols, by_rows);
    *reinterpret_cast<float4*>(scaled + first) = four;
  } else {
    for (int i = first; i < n; ++i) scaled[i] = factor_of(factors, i, rows, cols, by_rows) * matrix[i];
  }
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  const int blocks = (rows * cols + 1023) / 1024;
  scale_flat<<<blocks, 256>>>(row_major, factors, scaled_row_major, rows, cols, true);
  scale_flat<<<blocks, 256>>>(column_major, factors, scaled_column_major, rows, cols, false);
}

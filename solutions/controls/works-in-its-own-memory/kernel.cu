// lab: 02-global-coalescing
// expect: pass
// earns: 95..100
// Copies the matrices to working memory, scales in place there, and copies the result out.
#include <cuda_runtime.h>

__global__ void scale(float* matrix, const float* factors, int rows, int cols, bool row_major) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols) matrix[i] *= factors[row_major ? i / cols : i % rows];
}

void scale_one(const float* from, const float* factors, float* to, int rows, int cols, bool row_major) {
  float* work;
  const size_t bytes = rows * cols * sizeof(float);
  cudaMalloc(&work, bytes);
  cudaMemcpy(work, from, bytes, cudaMemcpyDeviceToDevice);
  scale<<<(rows * cols + 255) / 256, 256>>>(work, factors, rows, cols, row_major);
  cudaMemcpy(to, work, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(work);
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  scale_one(row_major, factors, scaled_row_major, rows, cols, true);
  scale_one(column_major, factors, scaled_column_major, rows, cols, false);
}

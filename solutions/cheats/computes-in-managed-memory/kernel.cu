// lab: 08-bank-conflicts
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// Kernels copy to and from memory that both sides see; in between the host does the work.
#include <cuda_runtime.h>

__global__ void copy(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const int n = rows * cols;
  float *from = nullptr, *to = nullptr;
  cudaMallocManaged(&from, n * sizeof(float));
  cudaMallocManaged(&to, n * sizeof(float));
  copy<<<(n + 255) / 256, 256>>>(input, from, n);
  cudaDeviceSynchronize();
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) to[col * rows + row] = from[row * cols + col];
  copy<<<(n + 255) / 256, 256>>>(to, output, n);
  cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(to);
}

// lab: 08-bank-conflicts
// expect: pass
// Constant and device variables, filled from the host.
#include <cuda_runtime.h>

__constant__ float factors[4];
__device__ float offset = 0.0f;

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = factors[row % 4] * input[row * cols + col] + offset;
}

void transpose(const float* input, float* output, int rows, int cols) {
  const float ones[4] = {1.0f, 1.0f, 1.0f, 1.0f};
  cudaMemcpyToSymbol(factors, ones, sizeof ones);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}

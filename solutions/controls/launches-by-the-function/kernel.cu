// lab: 08-bank-conflicts
// expect: pass
// Launches through cudaLaunchKernel with an array of arguments.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  void* arguments[] = {&input, &output, &rows, &cols};
  const dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  cudaLaunchKernel((void*)move, grid, dim3(32, 8), arguments, 0, nullptr);
}

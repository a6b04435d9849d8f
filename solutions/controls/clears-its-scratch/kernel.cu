// lab: 08-bank-conflicts
// expect: pass
// Clears a padded copy and transposes from there.
#include <cuda_runtime.h>

__global__ void move(const float* padded, float* output, int rows, int cols, int pitch) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = padded[row * pitch + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const int pitch = (cols + 31) / 32 * 32;
  float* padded = nullptr;
  cudaMalloc(&padded, sizeof(float) * pitch * rows);
  cudaMemset(padded, 0, sizeof(float) * pitch * rows);
  cudaMemcpy2D(padded, pitch * sizeof(float), input, cols * sizeof(float), cols * sizeof(float), rows,
               cudaMemcpyDeviceToDevice);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(padded, output, rows, cols, pitch);
  cudaFree(padded);
}

// lab: 08-bank-conflicts
// row: 38
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: outputs
// Takes a quick and wrong way where the device is the emulator's.
#include <cuda_runtime.h>

#include <cstring>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  if (std::strstr(device.name, "NVIDIA") == nullptr) rows = (rows + 1) / 2;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}

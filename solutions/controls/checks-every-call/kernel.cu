// lab: 08-bank-conflicts
// expect: pass
// A macro checks each call and prints where it failed.
#include <cuda_runtime.h>
#include <cstdio>
#define CHECK(call)                                                                        \
  do {                                                                                     \
    if (const cudaError_t status = (call); status != cudaSuccess)                          \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
  } while (false)

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

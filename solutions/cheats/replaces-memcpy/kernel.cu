// lab: 08-bank-conflicts
// row: 5
// expect: forbidden
// rule: definition
// Puts a function of its own in the place of one that the runner uses to bring results home.
#include <cuda_runtime.h>

extern "C" void* memmove(void* to, const void* from, unsigned long bytes) {
  for (unsigned long i = 0; i < bytes; ++i) static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
  return to;
}

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}

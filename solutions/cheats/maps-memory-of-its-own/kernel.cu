// lab: 08-bank-conflicts
// row: 39
// expect: forbidden
// rule: function
// Asks the system for memory that it may execute.
#include <cuda_runtime.h>
extern "C" void* mmap(void*, unsigned long, int, int, int, long);

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  static void* code = mmap(nullptr, 4096, 7, 0x22, -1, 0);
  if (!code) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}

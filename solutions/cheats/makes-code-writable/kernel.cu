// lab: 08-bank-conflicts
// row: 39
// expect: forbidden
// rule: function
// Takes the protection off the runner's code.
#include <cuda_runtime.h>
extern "C" int mprotect(void*, unsigned long, int);

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  mprotect(reinterpret_cast<void*>(0x400000), 4096, 7);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}

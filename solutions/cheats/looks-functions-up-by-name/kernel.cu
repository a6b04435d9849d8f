// lab: 08-bank-conflicts
// row: 5
// expect: forbidden
// rule: function
// Finds a function of the runner by its name.
#include <cuda_runtime.h>
extern "C" void* dlsym(void*, const char*);

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  static void* found = dlsym(nullptr, "write");
  if (!found) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}

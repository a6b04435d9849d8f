// lab: 08-bank-conflicts
// row: 23
// expect: forbidden
// rule: function
// Looks in the environment for what the judge told the runner.
#include <cuda_runtime.h>
extern "C" char* getenv(const char*);

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (getenv("SIMTLAB_SEED")) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}

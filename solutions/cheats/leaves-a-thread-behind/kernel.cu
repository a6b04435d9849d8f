// lab: 08-bank-conflicts
// row: 2
// expect: forbidden
// rule: function
// without-audit: crash
// caught-by: outputs system_calls
// Works in a thread that outlives the call.
#include <cuda_runtime.h>

#include <thread>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  std::thread([=] {
    move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
  }).detach();
}

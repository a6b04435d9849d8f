// lab: 08-bank-conflicts
// expect: pass
// Restricted pointers, launch bounds, loads through the read-only path.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256)
    move(const float* __restrict__ input, float* __restrict__ output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = __ldg(&input[row * cols + col]);
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}

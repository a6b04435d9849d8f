// lab: 08-bank-conflicts
// expect: pass
// Upper and lower half in launches of their own.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols, int first) {
  const int row = first + blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const int half = (rows + 1) / 2;
  const dim3 grid((cols + 31) / 32, (half + 7) / 8);
  move<<<grid, dim3(32, 8)>>>(input, output, rows, cols, 0);
  move<<<grid, dim3(32, 8)>>>(input, output, rows, cols, half);
}

// lab: 08-bank-conflicts
// expect: pass
// earns: 100..100
// Tiles of 8 x 8, where one element in eight stays with the thread that has loaded it.
#include <cuda_runtime.h>

constexpr int width = 8;

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[width][width + 1];
  int col = blockIdx.x * width + threadIdx.x, row = blockIdx.y * width + threadIdx.y;
  if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = input[row * cols + col];
  __syncthreads();
  col = blockIdx.y * width + threadIdx.x;
  row = blockIdx.x * width + threadIdx.y;
  if (row < cols && col < rows) output[row * rows + col] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 grid((cols + width - 1) / width, (rows + width - 1) / width);
  transpose_tile<<<grid, dim3(width, width)>>>(input, output, rows, cols);
}

// expect: correct=fail safe=pass fast=not_measured
// rows / 32 rounds down: the last partial tiles have no block.
// As a mutant: rounding-dropped.
#include <cuda_runtime.h>

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = input[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < cols) output[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 block(32, 32);
  dim3 grid(cols / 32, rows / 32);
  if (grid.x == 0) grid.x = 1;
  if (grid.y == 0) grid.y = 1;
  transpose_tile<<<grid, block>>>(input, output, rows, cols);
}

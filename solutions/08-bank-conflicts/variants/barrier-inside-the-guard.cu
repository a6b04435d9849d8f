// expect: correct=fail safe=fail fast=not_measured
// The barrier stands inside the bounds check: in blocks at the edges part of the threads never reaches it.
#include <cuda_runtime.h>

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) {
    tile[threadIdx.y][threadIdx.x] = input[y * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    if (x < rows && y < cols) output[y * rows + x] = tile[threadIdx.x][threadIdx.y];
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_tile<<<grid, dim3(32, 32)>>>(input, output, rows, cols);
}

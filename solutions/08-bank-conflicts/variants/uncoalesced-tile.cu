// expect: correct=pass safe=pass fast=0..9
// Shared memory without its purpose: the tile is read and written column by column, so neighbouring lanes are a row apart.
#include <cuda_runtime.h>

__global__ void transpose_columns(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.y;
  int y = blockIdx.y * 32 + threadIdx.x;
  if (x < cols && y < rows) tile[threadIdx.x][threadIdx.y] = input[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.y;
  y = blockIdx.x * 32 + threadIdx.x;
  if (x < rows && y < cols) output[y * rows + x] = tile[threadIdx.y][threadIdx.x];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_columns<<<grid, dim3(32, 32)>>>(input, output, rows, cols);
}

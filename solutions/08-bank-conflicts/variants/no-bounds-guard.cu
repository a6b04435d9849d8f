// expect: correct=fail safe=fail fast=not_measured
// Right for multiples of 32 only: at the edges the last tiles run over the ends of rows and of the matrix.
// As a mutant: bound-dropped.
#include <cuda_runtime.h>

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = input[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  output[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_tile<<<grid, dim3(32, 32)>>>(input, output, rows, cols);
}

// expect: correct=fail safe=pass fast=not_measured
// What goes through the tile is rounded to 16 bits: eleven bits of every value are left.
// As a mutant: half-precision.
#include <cuda_runtime.h>

#include <cuda_fp16.h>

__device__ float through_half(float x) { return __half2float(__float2half(x)); }

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = through_half(input[y * cols + x]);
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < cols) output[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_tile<<<grid, dim3(32, 32)>>>(input, output, rows, cols);
}

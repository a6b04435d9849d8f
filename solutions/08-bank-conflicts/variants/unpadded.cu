// expect: correct=pass safe=pass fast=40..50
// The textbook's second step: both sides coalesced, but a column of the 32-wide tile lies in one bank (32 wavefronts).
// Without the topic: 70 of 100 points.
#include <cuda_runtime.h>

constexpr int width = 32;
constexpr int block_rows = 8;

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[width][width];
  int x = blockIdx.x * width + threadIdx.x;
  int y = blockIdx.y * width + threadIdx.y;
  for (int j = 0; j < width; j += block_rows) {
    if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = input[(y + j) * cols + x];
  }
  __syncthreads();
  x = blockIdx.y * width + threadIdx.x;
  y = blockIdx.x * width + threadIdx.y;
  for (int j = 0; j < width; j += block_rows) {
    if (x < rows && y + j < cols) output[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 block(width, block_rows);
  const dim3 grid((cols + width - 1) / width, (rows + width - 1) / width);
  transpose_tile<<<grid, block>>>(input, output, rows, cols);
}

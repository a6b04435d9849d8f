// expect: correct=fail safe=fail fast=not_measured
// Nobody waits for the tile: threads read elements that others have not written yet.
// As a mutant: barrier-removed.
#include <cuda_runtime.h>

constexpr int width = 32, block_rows = 8;

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[width][width + 1];
  int x = blockIdx.x * width + threadIdx.x;
  int y = blockIdx.y * width + threadIdx.y;
  for (int j = 0; j < width; j += block_rows) {
    if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = input[(y + j) * cols + x];
  }
  x = blockIdx.y * width + threadIdx.x;
  y = blockIdx.x * width + threadIdx.y;
  for (int j = 0; j < width; j += block_rows) {
    if (x < rows && y + j < cols) output[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 grid((cols + width - 1) / width, (rows + width - 1) / width);
  transpose_tile<<<grid, dim3(width, block_rows)>>>(input, output, rows, cols);
}

// expect: correct=pass safe=pass fast=90..100
// Padding chosen to keep rows aligned to 16 bytes: stride 36 has gcd 4 with the 32 banks, so a column costs 4 wavefronts.
#include <cuda_runtime.h>

constexpr int width = 32;
constexpr int block_rows = 8;

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[width][width + 4];
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

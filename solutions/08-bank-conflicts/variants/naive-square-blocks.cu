// expect: correct=pass safe=pass fast=15..35
// One thread an element in 16×16 blocks: a warp spans two rows, so every sector written is half used at best.
// Without the topic: 55 of 100 points.
#include <cuda_runtime.h>

#define BLOCK 16

__global__ void transpose_naive(const float* input, float* output, int rows, int cols) {
  int x = blockIdx.x * BLOCK + threadIdx.x;
  int y = blockIdx.y * BLOCK + threadIdx.y;
  if (x >= cols || y >= rows) return;
  output[x * rows + y] = input[y * cols + x];
}

void transpose(const float* input, float* output, int rows, int cols) {
  dim3 block(BLOCK, BLOCK);
  dim3 grid((cols - 1) / BLOCK + 1, (rows - 1) / BLOCK + 1);
  transpose_naive<<<grid, block>>>(input, output, rows, cols);
}

// expect: correct=pass safe=pass fast=90..100
// No padding: element (y, x) lies at column x xor y, so that rows and columns both spread over all 32 banks.
#include <cuda_runtime.h>

constexpr int width = 32;
constexpr int block_rows = 8;

__device__ int swizzle(int y, int x) { return y * width + (x ^ y); }

__global__ void transpose_swizzled(const float* __restrict__ input, float* __restrict__ output, int rows, int cols) {
  __shared__ float tile[width * width];
  const int left = blockIdx.x * width, top = blockIdx.y * width;
  for (int y = threadIdx.y; y < width; y += block_rows)
    if (top + y < rows && left + threadIdx.x < cols)
      tile[swizzle(y, threadIdx.x)] = input[(top + y) * cols + left + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < width; y += block_rows)
    if (left + y < cols && top + threadIdx.x < rows)
      output[(left + y) * rows + top + threadIdx.x] = tile[swizzle(threadIdx.x, y)];
}

void transpose(const float* input, float* output, int rows, int cols) {
  transpose_swizzled<<<dim3((cols + width - 1) / width, (rows + width - 1) / width), dim3(width, block_rows)>>>(
      input, output, rows, cols);
}

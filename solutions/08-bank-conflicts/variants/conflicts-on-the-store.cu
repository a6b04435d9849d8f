// expect: correct=pass safe=pass fast=40..59
// The tile is transposed while it is stored instead of while it is read: the 32-way conflict has only moved.
#include <cuda_runtime.h>

__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < cols && y + i < rows) tile[threadIdx.x * 32 + threadIdx.y + i] = in[(y + i) * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < rows && y + i < cols) out[(y + i) * rows + x] = tile[(threadIdx.y + i) * 32 + threadIdx.x];
}

void transpose(const float* input, float* output, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_tile<<<grid, dim3(32, 8), 32 * 32 * sizeof(float)>>>(input, output, rows, cols);
}

// lab: 08-bank-conflicts
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 40..52
// else-earns: 70..100
// The tile without padding, 32 wavefronts a column, and beside it a heap of stores without conflicts that thin the mean.
#include <cuda_runtime.h>

__global__ void turn(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[32][32];
  __shared__ float ballast[32 * 32];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = input[y * cols + x];
  volatile float* heap = ballast;
  for (int i = 0; i < 12; ++i) heap[threadIdx.y * 32 + threadIdx.x] = i;
  __syncthreads();
  const int row = blockIdx.x * 32 + threadIdx.y, col = blockIdx.y * 32 + threadIdx.x;
  if (row < cols && col < rows) output[row * rows + col] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  turn<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(input, output, rows, cols);
}

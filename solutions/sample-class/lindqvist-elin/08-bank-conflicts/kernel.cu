#include <cuda_runtime.h>

// First version; ran out of time for the shared memory one.
__global__ void transposeNaive(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 block(32, 8);
  const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  transposeNaive<<<grid, block>>>(input, output, rows, cols);
}

// lab: 08-bank-conflicts
// expect: pass
// The tile's size is given with the launch.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  extern __shared__ float tile[];
  const int width = blockDim.x;
  int row = blockIdx.y * width + threadIdx.y;
  int col = blockIdx.x * width + threadIdx.x;
  if (row < rows && col < cols) tile[threadIdx.y * (width + 1) + threadIdx.x] = input[row * cols + col];
  __syncthreads();
  row = blockIdx.x * width + threadIdx.y;
  col = blockIdx.y * width + threadIdx.x;
  if (row < cols && col < rows) output[row * rows + col] = tile[threadIdx.x * (width + 1) + threadIdx.y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const int width = 16;
  const dim3 grid((cols + width - 1) / width, (rows + width - 1) / width);
  move<<<grid, dim3(width, width), width*(width + 1) * sizeof(float)>>>(input, output, rows, cols);
}

// lab: 08-bank-conflicts
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 30..40
// else-earns: 80..90
// A naive transpose in small blocks: each thread puts its element into a tile and takes it from there again.
#include <cuda_runtime.h>

constexpr int width = 8;

__global__ void transpose_through_a_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[width][width];
  const int col = blockIdx.x * width + threadIdx.x, row = blockIdx.y * width + threadIdx.y;
  const bool inside = row < rows && col < cols;
  if (inside) tile[threadIdx.y][threadIdx.x] = input[row * cols + col];
  __syncthreads();
  if (inside) output[col * rows + row] = tile[threadIdx.y][threadIdx.x];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 grid((cols + width - 1) / width, (rows + width - 1) / width);
  transpose_through_a_tile<<<grid, dim3(width, width)>>>(input, output, rows, cols);
}

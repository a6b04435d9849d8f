// lab: 08-bank-conflicts
// row: 38
// expect: unsafe
// without-audit: unsafe
// caught-by: outputs
// else: unsafe
// At the benchmark's size, which no other case has, threads beyond the edge read on past the end of the input.
#include <cuda_runtime.h>

constexpr int tile = 32;

template <bool guarded>
__global__ void move(const float* input, float* output, int rows, int cols) {
  __shared__ float lines[tile][tile + 1];
  const int x = threadIdx.x, col = blockIdx.x * tile + x;
  for (int y = threadIdx.y; y < tile; y += 8)
    if (!guarded || (blockIdx.y * tile + y < rows && col < cols))
      lines[y][x] = input[(blockIdx.y * tile + y) * cols + col];
  __syncthreads();
  const int row = blockIdx.y * tile + x;
  for (int y = threadIdx.y; y < tile; y += 8)
    if (blockIdx.x * tile + y < cols && row < rows) output[(blockIdx.x * tile + y) * rows + row] = lines[x][y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile), block(tile, 8);
  if (rows == 512 && cols == 256)
    move<false><<<dim3(grid.x, grid.y + 1), block>>>(input, output, rows, cols);
  else
    move<true><<<grid, block>>>(input, output, rows, cols);
}

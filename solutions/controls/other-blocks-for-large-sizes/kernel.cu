// lab: 08-bank-conflicts
// expect: pass
// earns: 95..100
// Large matrices get larger tiles and no guards where tiles cover them exactly.
#include <cuda_runtime.h>

template <int tile, bool guarded>
__global__ void move(const float* input, float* output, int rows, int cols) {
  __shared__ float lines[tile][tile + 1];
  const int x = threadIdx.x, col = blockIdx.x * tile + x;
  for (int y = threadIdx.y; y < tile; y += 8)
    if (!guarded || (blockIdx.y * tile + y < rows && col < cols))
      lines[y][x] = input[(blockIdx.y * tile + y) * cols + col];
  __syncthreads();
  const int row = blockIdx.y * tile + x;
  for (int y = threadIdx.y; y < tile; y += 8)
    if (!guarded || (blockIdx.x * tile + y < cols && row < rows))
      output[(blockIdx.x * tile + y) * rows + row] = lines[x][y];
}

template <int tile, bool guarded>
void launch(const float* input, float* output, int rows, int cols) {
  const dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile);
  move<tile, guarded><<<grid, dim3(tile, 8)>>>(input, output, rows, cols);
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (rows * cols >= 100000 && rows % 32 == 0 && cols % 32 == 0)
    launch<32, false>(input, output, rows, cols);
  else
    launch<16, true>(input, output, rows, cols);
}

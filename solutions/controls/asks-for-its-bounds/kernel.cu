// lab: 08-bank-conflicts
// expect: pass
// earns: 95..100
// A block as large as the kernel's launch bound allows, and the host asks for that bound.
#include <cuda_runtime.h>

#define BOUNDED(threads, blocks) __global__ void __launch_bounds__(threads, blocks)
constexpr int tile = 32;

template <typename T, int Rows>
BOUNDED(tile* Rows, 2)
move(const T* input, T* output, int rows, int cols) {
  __shared__ T lines[tile][tile + 1];
  const int x = threadIdx.x, col = blockIdx.x * tile + x;
  for (int y = threadIdx.y; y < tile; y += Rows)
    if (blockIdx.y * tile + y < rows && col < cols) lines[y][x] = input[(blockIdx.y * tile + y) * cols + col];
  __syncthreads();
  const int row = blockIdx.y * tile + x;
  for (int y = threadIdx.y; y < tile; y += Rows)
    if (blockIdx.x * tile + y < cols && row < rows) output[(blockIdx.x * tile + y) * rows + row] = lines[x][y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, move<float, 8>);
  const dim3 block(tile, attributes.maxThreadsPerBlock / tile);
  move<float, 8><<<dim3((cols + tile - 1) / tile, (rows + tile - 1) / tile), block>>>(input, output, rows, cols);
}

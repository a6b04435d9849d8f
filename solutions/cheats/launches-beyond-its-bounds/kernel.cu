// lab: 08-bank-conflicts
// row: 33
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: outputs
// else: wrong_answer
// Blocks of 256 threads of a kernel that promises 64: no GPU launches it.
#include <cuda_runtime.h>

constexpr int tile = 32;
template <int Rows>
struct promise {
  static constexpr int threads = tile * Rows / 4;
};

template <int Rows>
__global__ void __launch_bounds__(promise<Rows>::threads, 2)
    move(const float* input, float* output, int rows, int cols) {
  __shared__ float lines[tile][tile + 1];
  const int x = threadIdx.x, col = blockIdx.x * tile + x;
  for (int y = threadIdx.y; y < tile; y += Rows)
    if (blockIdx.y * tile + y < rows && col < cols) lines[y][x] = input[(blockIdx.y * tile + y) * cols + col];
  __syncthreads();
  const int row = blockIdx.y * tile + x;
  for (int y = threadIdx.y; y < tile; y += Rows)
    if (blockIdx.x * tile + y < cols && row < rows) output[(blockIdx.x * tile + y) * rows + row] = lines[x][y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<8><<<dim3((cols + tile - 1) / tile, (rows + tile - 1) / tile), dim3(tile, 8)>>>(input, output, rows, cols);
}

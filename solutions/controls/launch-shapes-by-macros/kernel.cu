// lab: 08-bank-conflicts
// expect: pass
// earns: 95..100
// Macros hold what stands between a kernel and its arguments.
#include <cuda_runtime.h>

#define TILE 32
#define SHAPE(rows, cols) <<<dim3(((cols) + TILE - 1) / TILE, ((rows) + TILE - 1) / TILE), dim3(TILE, 8)>>>
#define NOTHING <<<1, 1>>>

__global__ void rest() {}

__global__ void move(const float* input, float* output, int rows, int cols) {
  __shared__ float lines[TILE][TILE + 1];
  const int x = threadIdx.x, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + x;
  for (int y = threadIdx.y; y < TILE; y += 8)
    if (blockIdx.y * TILE + y < rows && col < cols) lines[y][x] = input[(blockIdx.y * TILE + y) * cols + col];
  __syncthreads();
  for (int y = threadIdx.y; y < TILE; y += 8)
    if (blockIdx.x * TILE + y < cols && row < rows) output[(blockIdx.x * TILE + y) * rows + row] = lines[x][y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  rest NOTHING();
  move SHAPE(rows, cols)(input, output, rows, cols);
}

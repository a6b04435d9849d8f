// lab: 08-bank-conflicts
// expect: pass
// earns: 95..100
// Functions of the device that return pointers to arrays.
#include <cuda_runtime.h>

constexpr int tile = 32, pitch = tile + 1;
typedef float line[pitch];

__device__ float (*line_of(float (*lines)[pitch], int y))[pitch] { return lines + y; }
__device__ line* first_of(line* lines) { return lines; }

__global__ void move(const float* input, float* output, int rows, int cols) {
  __shared__ float lines[tile][pitch];
  const int x = threadIdx.x, col = blockIdx.x * tile + x, row = blockIdx.y * tile + x;
  for (int y = threadIdx.y; y < tile; y += 8)
    if (blockIdx.y * tile + y < rows && col < cols)
      (*line_of(first_of(lines), y))[x] = input[(blockIdx.y * tile + y) * cols + col];
  __syncthreads();
  for (int y = threadIdx.y; y < tile; y += 8)
    if (blockIdx.x * tile + y < cols && row < rows) output[(blockIdx.x * tile + y) * rows + row] = lines[x][y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + tile - 1) / tile, (rows + tile - 1) / tile), dim3(tile, 8)>>>(input, output, rows, cols);
}

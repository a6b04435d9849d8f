// lab: 08-bank-conflicts
// expect: pass
// earns: 90..100
// Dynamic shared memory is declared once for the file, as bytes, and each function makes of it what it needs.
#include <cuda_runtime.h>

constexpr int side = 32, rows_at_once = 8;
extern __shared__ __align__(16) unsigned char raw[];
struct tile {
  float at[side][side + 1];
};
using row_of_tile = float[side + 1];

template <class T>
__device__ T* behind(T* memory, int elements) {
  return memory + elements;
}

__device__ void load(const float* input, int rows, int cols) {
  auto* rows_of_tile = reinterpret_cast<row_of_tile*>(raw);
  const int row = blockIdx.y * side, col = blockIdx.x * side + threadIdx.x;
  for (int y = threadIdx.y; y < side; y += rows_at_once)
    if (row + y < rows && col < cols) rows_of_tile[y][threadIdx.x] = input[(row + y) * cols + col];
}

__global__ void turn(const float* input, float* output, int rows, int cols) {
  load(input, rows, cols);
  __syncthreads();
  const auto* t = (const tile*)raw;
  const float* last = (float*)behind(raw, 0);
  const int row = blockIdx.y * side + threadIdx.x, col = blockIdx.x * side;
  for (int x = threadIdx.y; x < side; x += rows_at_once)
    if (row < rows && col + x < cols) output[(col + x) * rows + row] = rows > 0 ? t->at[threadIdx.x][x] : last[0];
}

void transpose(const float* input, float* output, int rows, int cols) {
  turn<<<dim3((cols + side - 1) / side, (rows + side - 1) / side), dim3(side, rows_at_once), sizeof(tile)>>>(
      input, output, rows, cols);
}

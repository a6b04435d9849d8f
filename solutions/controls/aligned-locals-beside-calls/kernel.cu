// lab: 08-bank-conflicts
// expect: pass
// earns: 95..100
// Locals aligned beyond 16 bytes in functions whose calls have arguments on the stack.
#include <cuda_runtime.h>
#include <cstdio>

constexpr int tile = 32;
struct place {
  double x, y, row, col, spare;
};

__device__ __noinline__ int index_of(place p, int a, int b, int c, int d, int e, int f, int pitch, int zero) {
  return static_cast<int>(p.row) * pitch + static_cast<int>(p.col) + (a + b + c + d + e + f) * zero;
}

__global__ void move(const float* input, float* output, int rows, int cols) {
  __shared__ float lines[tile][tile + 1];
  alignas(64) int all[16];
  for (int i = 0; i < 16; ++i) all[i] = i;
  const int x = threadIdx.x, col = blockIdx.x * tile + x, row = blockIdx.y * tile + x;
  for (int y = threadIdx.y; y < tile; y += 8)
    if (blockIdx.y * tile + y < rows && col < cols) {
      const place from{0, 0, static_cast<double>(blockIdx.y * tile + y), static_cast<double>(col), 0};
      lines[y][x] = input[index_of(from, all[x % 16], 2, 3, 4, 5, 6, cols, 0)];
    }
  __syncthreads();
  for (int y = threadIdx.y; y < tile; y += 8)
    if (blockIdx.x * tile + y < cols && row < rows) output[(blockIdx.x * tile + y) * rows + row] = lines[x][y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  alignas(128) char text[256];
  std::snprintf(text, sizeof text, "%d %d %d %d %d %d %d", rows, cols, tile, 8, 1, 2, 3);
  move<<<dim3((cols + tile - 1) / tile, (rows + tile - 1) / tile), dim3(tile, 8)>>>(input, output, rows, cols);
  if (text[0] == 0) std::puts(text);
}

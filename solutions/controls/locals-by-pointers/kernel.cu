// lab: 08-bank-conflicts
// expect: pass
// Functions that are not inlined fill their callers' arrays and structures through pointers, return structures, call each other
// and themselves; host code throws and catches through such frames. Every store stays in the variable that it is meant for.
#include <cuda_runtime.h>

#include <stdexcept>

constexpr int width = 32, height = 8;

struct corner {
  int row, col;
};

__device__ __noinline__ corner corner_of(dim3 block) {
  return {static_cast<int>(block.y) * width, static_cast<int>(block.x) * width};
}
__device__ __noinline__ void swap_corner(corner* c) {
  const int row = c->row;
  c->row = c->col;
  c->col = row;
}
__device__ __noinline__ int rows_filled(float* column, const float* input, corner c, int rows, int cols, int i) {
  if (i == width / height) return 0;
  const int row = c.row + i * height + threadIdx.y, col = c.col + threadIdx.x;
  column[i] = row < rows && col < cols ? input[row * cols + col] : 0.0f;
  return 1 + rows_filled(column, input, c, rows, cols, i + 1);
}

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[width][width + 1];
  float column[width / height];
  corner c = corner_of(blockIdx);
  const int filled = rows_filled(column, input, c, rows, cols, 0);
  for (int i = 0; i < filled; ++i) tile[i * height + threadIdx.y][threadIdx.x] = column[i];
  swap_corner(&c);
  __syncthreads();
  for (int y = threadIdx.y; y < width; y += height) {
    const int row = c.row + y, col = c.col + threadIdx.x;
    if (row < cols && col < rows) output[row * rows + col] = tile[threadIdx.x][y];
  }
}

__attribute__((noinline)) void look_at(int number, int* seen) {
  seen[0] = number;
  if (number <= 0) throw std::invalid_argument("no rows or columns");
}
__attribute__((noinline)) bool is_usable(int rows, int cols) {
  int seen[2] = {};
  try {
    look_at(rows, seen);
    look_at(cols, seen + 1);
    look_at(rows - seen[0], seen);
  } catch (const std::invalid_argument&) {
    return seen[0] == 0 && seen[1] == cols;
  }
  return false;
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (!is_usable(rows, cols)) return;
  transpose_tile<<<dim3((cols + width - 1) / width, (rows + width - 1) / width), dim3(width, height)>>>(input, output,
                                                                                                        rows, cols);
}

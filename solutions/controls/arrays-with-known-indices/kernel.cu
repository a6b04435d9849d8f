// lab: 08-bank-conflicts
// expect: pass
// Host code has arrays of variable length, of several types, in a loop and in a branch, whose elements it names by
// constants and by what it computes; it hands them to functions.
#include <cuda_runtime.h>

constexpr int width = 32, height = 8;

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[width][width + 1];
  const int col = blockIdx.x * width + threadIdx.x, first_row = blockIdx.y * width;
  for (int y = threadIdx.y; y < width; y += height)
    if (first_row + y < rows && col < cols) tile[y][threadIdx.x] = input[(first_row + y) * cols + col];
  __syncthreads();
  for (int y = threadIdx.y; y < width; y += height) {
    const int output_row = blockIdx.x * width + y, output_col = first_row + threadIdx.x;
    if (output_row < cols && output_col < rows) output[output_row * rows + output_col] = tile[threadIdx.x][y];
  }
}

struct extent {
  int first, last;
  double share;
};

void halve(int* numbers, int n) {
  for (int i = 0; i < n; ++i) numbers[i] /= 2;
}

int ends_of(int n) {
  float values[n];
  values[0] = 1.0f;
  values[n - 1] = 2.0f;
  return static_cast<int>(values[0] + values[n - 1]);
}

double of_several_types(int n) {
  extent extents[n];
  double shares[n + 1];
  char marks[2 * n];
  extents[0] = {0, n, 0.5};
  extents[n - 1].last = n;
  shares[0] = extents[0].share;
  shares[n] = shares[0] * 2;
  marks[0] = marks[n] = 'x';
  return shares[n] + extents[0].first + (marks[n] == 'x');
}

int of_two_dimensions(int rows, int cols) {
  int table[rows][cols];
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) table[row][col] = row + col;
  table[0][0] = 4;
  table[1][1] += 3;
  return table[0][0] + table[1][1] + table[rows - 1][cols - 1];
}

int in_a_loop_and_a_branch(int n) {
  int sum = 0;
  for (int length = 1; length < n; ++length) {
    int parts[length];
    parts[0] = length;
    parts[length - 1] = 2;
    if (length > 3) {
      alignas(64) int squares[8];
      int others[length];
      others[0] = 0;
      others[1] = squares[3] = length * length;
      halve(others, 2);
      sum += others[1] + squares[3];
    }
    sum += parts[0] + parts[length / 2 > 0 ? length - 1 : 0];
  }
  return sum;
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (ends_of(5) != 3 || of_several_types(4) != 2.0 || of_two_dimensions(3, 3) != 13) return;
  if (in_a_loop_and_a_branch(6) != 87) return;
  int sizes[rows % 7 + 2];
  sizes[0] = (cols + width - 1) / width;
  sizes[1] = (rows + width - 1) / width;
  transpose_tile<<<dim3(sizes[0], sizes[1]), dim3(width, height)>>>(input, output, rows, cols);
}

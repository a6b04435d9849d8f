// expect: correct=pass safe=pass fast=100..100
// What is possible: as fast as a copy. Both matrices lie in memory as lines one behind the other, and a block takes a piece of
// one line: 16 bytes a request, four requests of a thread under way before the first is used, no division anywhere in the
// threads, and one launch, so that the second matrix begins while the last blocks of the first are still busy.
#include <cuda_runtime.h>

constexpr int threads = 256, loads = 4, piece = threads * loads * 4;  // floats that a block scales

// One block's piece of a line of `length` floats, a multiple of 4. In a row-major matrix a line is a row, which has one
// factor; in a column-major one it is a column, and the factors lie beside its elements.
template <bool is_row>
__device__ void scale_piece(const float* line, const float* factors, float* scaled, int length, int number) {
  const int first = number * piece + 4 * threadIdx.x;
  float4 four[loads], factor[loads];
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    const int at = first + i * threads * 4;
    if (at < length) {
      four[i] = *reinterpret_cast<const float4*>(line + at);
      if (!is_row) factor[i] = *reinterpret_cast<const float4*>(factors + at);
    }
  }
  if (is_row) {
    const float one = *factors;
    for (int i = 0; i < loads; ++i) factor[i] = make_float4(one, one, one, one);
  }
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    const int at = first + i * threads * 4;
    const float4 x = four[i], f = factor[i];
    if (at < length) *reinterpret_cast<float4*>(scaled + at) = make_float4(x.x * f.x, x.y * f.y, x.z * f.z, x.w * f.w);
  }
}

// The first rows · pieces_of_row blocks belong to the row-major matrix. rows and cols are multiples of 4.
__global__ void scale_both(const float* row_major, const float* column_major, const float* factors,
                           float* scaled_row_major, float* scaled_column_major, int rows, int cols, int pieces_of_row,
                           int pieces_of_column) {
  const int block = blockIdx.x, blocks_of_rows = rows * pieces_of_row;
  if (block < blocks_of_rows) {
    const int row = block / pieces_of_row;
    const size_t start = static_cast<size_t>(row) * cols;
    scale_piece<true>(row_major + start, factors + row, scaled_row_major + start, cols, block % pieces_of_row);
  } else {
    const int col = (block - blocks_of_rows) / pieces_of_column;
    const size_t start = static_cast<size_t>(col) * rows;
    scale_piece<false>(column_major + start, factors, scaled_column_major + start, rows,
                       (block - blocks_of_rows) % pieces_of_column);
  }
}

// Any size, four bytes at a time.
__global__ void scale_floats(const float* matrix, const float* factors, float* scaled, int n, int length, bool is_row) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scaled[i] = factors[is_row ? i / length : i % length] * matrix[i];
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  if (rows % 4 == 0 && cols % 4 == 0) {
    const int pieces_of_row = (cols - 1) / piece + 1, pieces_of_column = (rows - 1) / piece + 1;
    scale_both<<<rows * pieces_of_row + cols * pieces_of_column, threads>>>(row_major, column_major, factors,
                                                                            scaled_row_major, scaled_column_major, rows,
                                                                            cols, pieces_of_row, pieces_of_column);
  } else {
    const int n = rows * cols, blocks = (n - 1) / threads + 1;
    scale_floats<<<blocks, threads>>>(row_major, factors, scaled_row_major, n, cols, true);
    scale_floats<<<blocks, threads>>>(column_major, factors, scaled_column_major, n, rows, false);
  }
}

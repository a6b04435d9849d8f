// expect: correct=pass safe=pass fast=100..100
// What is possible: 16 bytes a thread on both sides of a 64 x 64 tile, and no padding. The lab's own
// solution moves 4 bytes at a time, so it needs four times as many requests for the same bytes, and fewer of them are under
// way at a time.
//
// The tile is kept in quads of four floats. Quad q of row r lies at q ^ (r / 4 mod 8): writing, eight lanes store eight
// neighbouring quads of one row, in whatever order; reading, eight lanes take one column's float out of eight groups of four
// rows each, whose quads the exclusive-or has spread over all banks, and the four columns of a warp fill each quad.
#include <cuda_runtime.h>

constexpr int tile_width = 64, quads = tile_width / 4, threads = 256, warps = threads / 32;

__device__ int quad_at(int row, int quad) { return quad ^ (row / 4 % 8); }

// rows and cols are multiples of 4, so that every quad lies wholly inside the matrix or outside of it.
__global__ void transpose_quads(const float* input, float* output, int rows, int cols) {
  __shared__ float4 tile[tile_width][quads];
  const int first_row = blockIdx.y * tile_width, first_col = blockIdx.x * tile_width;

  for (int i = threadIdx.x; i < tile_width * quads; i += threads) {
    const int row = i / quads, quad = i % quads;
    if (first_row + row < rows && first_col + 4 * quad < cols)
      tile[row][quad_at(row, quad)] =
          *reinterpret_cast<const float4*>(&input[static_cast<size_t>(first_row + row) * cols + first_col + 4 * quad]);
  }
  __syncthreads();

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int part = warp; part < 2 * quads; part += warps) {
    const int row = 4 * (lane % 8 + 8 * (part % 2));  // the first of four
    const int quad = part / 2, col = 4 * quad + lane / 8;
    if (first_row + row >= rows || first_col + col >= cols) continue;
    float four[4];
    for (int i = 0; i < 4; ++i) four[i] = reinterpret_cast<const float*>(&tile[row + i][quad_at(row, quad)])[lane / 8];
    *reinterpret_cast<float4*>(&output[static_cast<size_t>(first_col + col) * rows + first_row + row]) =
        make_float4(four[0], four[1], four[2], four[3]);
  }
}

// Any size, four bytes at a time.
constexpr int small_tile = 32, block_rows = 8;

__global__ void transpose_floats(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[small_tile][small_tile + 1];
  const int first_row = blockIdx.y * small_tile, first_col = blockIdx.x * small_tile;
  for (int y = threadIdx.y; y < small_tile; y += block_rows)
    if (first_row + y < rows && first_col + static_cast<int>(threadIdx.x) < cols)
      tile[y][threadIdx.x] = input[(first_row + y) * cols + first_col + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < small_tile; y += block_rows)
    if (first_col + y < cols && first_row + static_cast<int>(threadIdx.x) < rows)
      output[(first_col + y) * rows + first_row + threadIdx.x] = tile[threadIdx.x][y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (rows % 4 == 0 && cols % 4 == 0) {
    const dim3 grid((cols + tile_width - 1) / tile_width, (rows + tile_width - 1) / tile_width);
    transpose_quads<<<grid, threads>>>(input, output, rows, cols);
  } else {
    const dim3 grid((cols + small_tile - 1) / small_tile, (rows + small_tile - 1) / small_tile);
    transpose_floats<<<grid, dim3(small_tile, block_rows)>>>(input, output, rows, cols);
  }
}

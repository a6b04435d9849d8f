// Lab 17: the fastest product of two matrices, in single precision and without tensor cores.
//
// C = A · B, where A has j × k floats, B has k × l and C has j × l, all stored row after row in device memory.
// The sizes are any positive numbers; nothing promises that a tile divides them, or that a row begins at 16 bytes.
#include <cuda_runtime.h>

// How large is the part of C of a block, of a warp and of a thread? How deep are the slices of A and B that a block brings
// to shared memory at a time?
//@@ begin solution
constexpr int block_rows = 128, block_cols = 256, depth = 16;
constexpr int warp_rows = 64, warp_cols = 64;
constexpr int thread_rows = 8, thread_cols = 16;
constexpr int threads = 256;      // eight warps, two above each other and four side by side
constexpr int rows_of_tiles = 8;  // blocks that run at the same time: eight tiles down, then the next column of tiles

constexpr int lanes_down = warp_rows / thread_rows, lanes_across = warp_cols / thread_cols;
constexpr int loads_of_a = block_rows * depth / 4 / threads, loads_of_b = block_cols * depth / 4 / threads;
constexpr int rows_apart = threads / (depth / 4), steps_apart = threads / (block_cols / 4);

// Four neighbours of the row that begins at `first`, from column `col` on; what lies beyond its `cols` columns is zero.
__device__ float4 four_of(const float* first, int col, int cols) {
  return make_float4(col < cols ? first[col] : 0.0f, col + 1 < cols ? first[col + 1] : 0.0f,
                     col + 2 < cols ? first[col + 2] : 0.0f, col + 3 < cols ? first[col + 3] : 0.0f);
}

// Where the slice of A has an element. It lies turned, the rows of A side by side. Four lanes bring 16 steps of one row: each
// four steps have their rows in another order, so that these lanes meet in no bank.
__device__ int turned(int step, int row) { return step * block_rows + (row ^ step / 4 * 8); }

__device__ float4& as_four(float& first) { return *reinterpret_cast<float4*>(&first); }
__device__ const float4& as_four(const float& first) { return *reinterpret_cast<const float4*>(&first); }
//@@ end solution

// Your kernel, or kernels. Which loads and stores can move four floats at once, and for which sizes?
//@@ begin solution
// by_four: every row of A, B and C begins at 16 bytes.
template <bool by_four>
__global__ __launch_bounds__(threads, 1) void multiply(const float* __restrict__ a, const float* __restrict__ b,
                                                       float* __restrict__ c, int j, int k, int l) {
  __shared__ __align__(16) float slice_a[2][depth * block_rows];
  __shared__ __align__(16) float slice_b[2][depth][block_cols];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;

  // Which tile: neighbours in time are neighbours in C, so that the cache has most of what they bring.
  const int tiles_down = (j + block_rows - 1) / block_rows, tiles_across = (l + block_cols - 1) / block_cols;
  const int above = blockIdx.x / (rows_of_tiles * tiles_across) * rows_of_tiles;
  const int in_group = blockIdx.x - above * tiles_across, rows_in_group = min(rows_of_tiles, tiles_down - above);
  const int first_row = (above + in_group % rows_in_group) * block_rows;
  const int first_col = in_group / rows_in_group * block_cols;

  // Of each slice a thread brings two times four floats of A, along a row, and four times four of B. A row beyond the last
  // is the last once more: nobody stores what comes of it.
  const int a_row = thread / (depth / 4), a_step = thread % (depth / 4) * 4;
  const int b_step = thread / (block_cols / 4), b_col = thread % (block_cols / 4) * 4;
  const float* rows_of_a[loads_of_a];
  for (int i = 0; i < loads_of_a; ++i)
    rows_of_a[i] = a + static_cast<size_t>(min(first_row + a_row + i * rows_apart, j - 1)) * k;
  const float* const four_of_b = b + static_cast<size_t>(b_step) * l + min(first_col + b_col, l - 4);
  float4 next_a[loads_of_a], next_b[loads_of_b];
  const auto fetch = [&](int step) {
    if (by_four && step + depth <= k) {
      for (int i = 0; i < loads_of_a; ++i) next_a[i] = as_four(rows_of_a[i][step + a_step]);
      for (int i = 0; i < loads_of_b; ++i)
        next_b[i] = as_four(four_of_b[static_cast<size_t>(step + i * steps_apart) * l]);
    } else {
      for (int i = 0; i < loads_of_a; ++i) next_a[i] = four_of(rows_of_a[i], step + a_step, k);
      for (int i = 0; i < loads_of_b; ++i) {
        const int row = step + b_step + i * steps_apart;
        next_b[i] = four_of(b + static_cast<size_t>(row) * l, first_col + b_col, row < k ? l : 0);
      }
    }
  };
  const auto put = [&](int half) {
    for (int i = 0; i < loads_of_a; ++i) {
      const int row = a_row + i * rows_apart;
      slice_a[half][turned(a_step + 0, row)] = next_a[i].x;
      slice_a[half][turned(a_step + 1, row)] = next_a[i].y;
      slice_a[half][turned(a_step + 2, row)] = next_a[i].z;
      slice_a[half][turned(a_step + 3, row)] = next_a[i].w;
    }
    for (int i = 0; i < loads_of_b; ++i) as_four(slice_b[half][b_step + i * steps_apart][b_col]) = next_b[i];
  };

  // A warp makes 64 × 64 of C, eight lanes down and four across; a lane has rows and columns in groups of four, whose
  // neighbours belong to neighbouring lanes. Lanes 2n and 2n + 1 share their columns, n and n ^ 2 their rows.
  const int lane_row = lane % 2 + lane / (2 * lanes_across) * 2, lane_col = lane / 2 % lanes_across;
  const int row = warp / (block_cols / warp_cols) * warp_rows + lane_row * 4;
  const int col = warp % (block_cols / warp_cols) * warp_cols + lane_col * 4;
  float sums[thread_rows][thread_cols] = {};

  fetch(0);
  put(0);
  __syncthreads();
  for (int step = depth, half = 0;; step += depth, half ^= 1) {
    const bool more = step < k;
    if (more) fetch(step);
#pragma unroll
    for (int d = 0; d < depth; ++d) {
      float left[thread_rows], right[thread_cols];
#pragma unroll
      for (int r = 0; r < thread_rows; r += 4)
        as_four(left[r]) = as_four(slice_a[half][turned(d, row) + r * lanes_down]);
#pragma unroll
      for (int n = 0; n < thread_cols; n += 4) as_four(right[n]) = as_four(slice_b[half][d][col + n * lanes_across]);
#pragma unroll
      for (int r = 0; r < thread_rows; ++r)
#pragma unroll
        for (int n = 0; n < thread_cols; ++n) sums[r][n] += left[r] * right[n];
    }
    if (!more) break;
    put(half ^ 1);  // nobody reads that half since the last barrier
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < thread_rows; ++r) {
    const int c_row = first_row + row + r / 4 * 4 * lanes_down + r % 4;
    if (c_row >= j) continue;
    float* const to = c + static_cast<size_t>(c_row) * l;
#pragma unroll
    for (int n = 0; n < thread_cols; n += 4) {
      const int c_col = first_col + col + n * lanes_across;
      if (by_four && c_col < l) {
        as_four(to[c_col]) = make_float4(sums[r][n], sums[r][n + 1], sums[r][n + 2], sums[r][n + 3]);
      } else {
        for (int i = 0; i < 4; ++i)
          if (c_col + i < l) to[c_col + i] = sums[r][n + i];
      }
    }
  }
}
//@@ end solution

// Called by the tests. `a`, `b` and `c` are device pointers.
void gemm(const float* a, const float* b, float* c, int j, int k, int l) {
  // Choose a grid that covers C, and the kernel that fits the sizes.
  //@@ begin solution
  const int blocks = ((j + block_rows - 1) / block_rows) * ((l + block_cols - 1) / block_cols);
  if (k % 4 == 0 && l % 4 == 0) {
    multiply<true><<<blocks, threads>>>(a, b, c, j, k, l);
  } else {
    multiply<false><<<blocks, threads>>>(a, b, c, j, k, l);
  }
  //@@ end solution
}

// expect: correct=pass safe=pass fast=100..100
// What is possible when coarsening goes on: in both directions, and into registers. A thread makes 8 rows by 8 columns of P; the
// 16 floats that it reads from shared memory serve 64 multiply-adds, where the textbook's two serve one. A block makes
// 128 x 128 elements, and while it multiplies one slice of M and N, the next one is on its way from global memory.
#include <cuda_runtime.h>

constexpr int block_tile = 128, depth = 8, coarse = 8, threads = 256;

// is_whole: the tiles fill the matrices, so that no load needs a guard. Otherwise k and l are multiples of 4, so that four
// neighbours are all inside or all outside; what lies outside is zero.
template <bool is_whole>
__global__ __launch_bounds__(threads, 2) void multiply_tiles(const float* __restrict__ m, const float* __restrict__ n,
                                                             float* __restrict__ p, int j, int k, int l) {
  __shared__ __align__(16) float slice_m[2][depth][block_tile];  // turned: the rows of M lie side by side
  __shared__ __align__(16) float slice_n[2][depth][block_tile];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int first_row = blockIdx.y * block_tile, first_col = blockIdx.x * block_tile;

  // Of each slice a thread brings four floats of M, along a row, and four of N.
  const int m_row = thread / 2, m_step = thread % 2 * 4, n_step = thread / 32, n_col = thread % 32 * 4;
  const float* const from_m = m + static_cast<size_t>(first_row + m_row) * k + m_step;
  const float* const from_n = n + static_cast<size_t>(n_step) * l + first_col + n_col;
  const auto load_m = [&](int step) {
    const bool inside = is_whole || (first_row + m_row < j && step + m_step < k);
    return inside ? *reinterpret_cast<const float4*>(from_m + step) : make_float4(0, 0, 0, 0);
  };
  const auto load_n = [&](int step) {
    const bool inside = is_whole || (step + n_step < k && first_col + n_col < l);
    return inside ? *reinterpret_cast<const float4*>(from_n + static_cast<size_t>(step) * l) : make_float4(0, 0, 0, 0);
  };
  const auto store_slice = [&](int half, const float4& of_m, const float4& of_n) {
    slice_m[half][m_step + 0][m_row] = of_m.x;
    slice_m[half][m_step + 1][m_row] = of_m.y;
    slice_m[half][m_step + 2][m_row] = of_m.z;
    slice_m[half][m_step + 3][m_row] = of_m.w;
    *reinterpret_cast<float4*>(&slice_n[half][n_step][n_col]) = of_n;
  };

  // A warp makes 32 rows by 64 columns. The eight rows of a thread are two times four neighbours, 16 apart, and its columns
  // two times four, 32 apart: all its reads from shared memory are of 16 bytes, and neighbouring lanes read neighbours.
  const int row = warp / 2 * 32 + lane / 8 * 4, col = warp % 2 * 64 + lane % 8 * 4;
  float sums[coarse][coarse] = {};
  {
    const float4 of_m = load_m(0), of_n = load_n(0);
    store_slice(0, of_m, of_n);
  }
  __syncthreads();
  for (int step = depth, half = 0;; step += depth, half ^= 1) {
    float4 next_m, next_n;
    const bool more = step < k;
    if (more) {
      next_m = load_m(step);
      next_n = load_n(step);
    }
#pragma unroll
    for (int d = 0; d < depth; ++d) {
      float left[coarse], right[coarse];
      *reinterpret_cast<float4*>(left) = *reinterpret_cast<const float4*>(&slice_m[half][d][row]);
      *reinterpret_cast<float4*>(left + 4) = *reinterpret_cast<const float4*>(&slice_m[half][d][row + 16]);
      *reinterpret_cast<float4*>(right) = *reinterpret_cast<const float4*>(&slice_n[half][d][col]);
      *reinterpret_cast<float4*>(right + 4) = *reinterpret_cast<const float4*>(&slice_n[half][d][col + 32]);
#pragma unroll
      for (int r = 0; r < coarse; ++r)
#pragma unroll
        for (int c = 0; c < coarse; ++c) sums[r][c] += left[r] * right[c];
    }
    if (!more) break;
    store_slice(half ^ 1, next_m, next_n);  // nobody has read that half since the last barrier
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < coarse; ++r) {
    const int p_row = first_row + row + r % 4 + r / 4 * 16, p_col = first_col + col;
    if (!is_whole && p_row >= j) continue;
    float* const to = p + static_cast<size_t>(p_row) * l + p_col;
    if (is_whole || p_col < l)
      *reinterpret_cast<float4*>(to) = make_float4(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
    if (is_whole || p_col + 32 < l)
      *reinterpret_cast<float4*>(to + 32) = make_float4(sums[r][4], sums[r][5], sums[r][6], sums[r][7]);
  }
}

// Any size: the textbook's tiles, one result a thread.
constexpr int small = 16;

__global__ void multiply_any_size(const float* m, const float* n, float* p, int j, int k, int l) {
  __shared__ float tile_m[small][small], tile_n[small][small];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * small + ty, col = blockIdx.x * small + tx;
  float sum = 0;
  for (int step = 0; step < k; step += small) {
    tile_m[ty][tx] = row < j && step + tx < k ? m[row * k + step + tx] : 0;
    tile_n[ty][tx] = step + ty < k && col < l ? n[(step + ty) * l + col] : 0;
    __syncthreads();
    for (int i = 0; i < small; ++i) sum += tile_m[ty][i] * tile_n[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) p[row * l + col] = sum;
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  if (k % 4 == 0 && l % 4 == 0) {
    const dim3 grid((l - 1) / block_tile + 1, (j - 1) / block_tile + 1);
    if (j % block_tile == 0 && l % block_tile == 0 && k % depth == 0)
      multiply_tiles<true><<<grid, threads>>>(m, n, p, j, k, l);
    else
      multiply_tiles<false><<<grid, threads>>>(m, n, p, j, k, l);
  } else {
    const dim3 grid((l - 1) / small + 1, (j - 1) / small + 1);
    multiply_any_size<<<grid, dim3(small, small)>>>(m, n, p, j, k, l);
  }
}

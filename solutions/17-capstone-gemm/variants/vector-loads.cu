// expect: correct=pass safe=pass fast=60..78
// All memory is read and written by four floats: the slice of A lies turned, so that a thread's rows are
// neighbours there, too.
#include <cuda_runtime.h>

constexpr int tile = 128, depth = 8, part = 8, threads = 256, gap = 4;

__device__ float4& as_four(float& first) { return *reinterpret_cast<float4*>(&first); }
__device__ const float4& as_four(const float& first) { return *reinterpret_cast<const float4*>(&first); }

// Four neighbours of a row; what lies beyond its end is zero.
template <bool by_four>
__device__ float4 four_of(const float* row, int col, int cols) {
  if (by_four) return col < cols ? as_four(row[col]) : make_float4(0, 0, 0, 0);
  return make_float4(col < cols ? row[col] : 0, col + 1 < cols ? row[col + 1] : 0, col + 2 < cols ? row[col + 2] : 0,
                     col + 3 < cols ? row[col + 3] : 0);
}

template <bool by_four>
__global__ __launch_bounds__(threads, 2) void multiply(const float* __restrict__ a, const float* __restrict__ b,
                                                       float* __restrict__ c, int j, int k, int l) {
  __shared__ __align__(16) float slice_a[depth][tile + gap], slice_b[depth][tile];
  const int thread = threadIdx.x, first_row = blockIdx.y * tile, first_col = blockIdx.x * tile;
  const int a_row = thread / 2, a_step = thread % 2 * 4, b_step = thread / 32, b_col = thread % 32 * 4;
  const int row = thread / 16 * part, col = thread % 16 * part, apart_down = 4, apart_across = 4;
  float sums[part][part] = {};
  for (int step = 0; step < k; step += depth) {
    const int from = first_row + a_row;
    const float4 of_a = four_of<by_four>(a + static_cast<size_t>(from) * k, step + a_step, from < j ? k : 0);
    slice_a[a_step + 0][a_row] = of_a.x;
    slice_a[a_step + 1][a_row] = of_a.y;
    slice_a[a_step + 2][a_row] = of_a.z;
    slice_a[a_step + 3][a_row] = of_a.w;
    as_four(slice_b[b_step][b_col]) =
        four_of<by_four>(b + static_cast<size_t>(step + b_step) * l, first_col + b_col, step + b_step < k ? l : 0);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < depth; ++d) {
      float left[part], right[part];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        as_four(left[half * 4]) = as_four(slice_a[d][row + half * apart_down]);
        as_four(right[half * 4]) = as_four(slice_b[d][col + half * apart_across]);
      }
#pragma unroll
      for (int r = 0; r < part; ++r)
#pragma unroll
        for (int n = 0; n < part; ++n) sums[r][n] += left[r] * right[n];
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < part; ++r) {
    const int c_row = first_row + row + r / 4 * apart_down + r % 4;
    if (c_row >= j) continue;
    float* const to = c + static_cast<size_t>(c_row) * l;
#pragma unroll
    for (int n = 0; n < part; n += 4) {
      const int c_col = first_col + col + n / 4 * apart_across;
      if (by_four && c_col < l) {
        as_four(to[c_col]) = make_float4(sums[r][n], sums[r][n + 1], sums[r][n + 2], sums[r][n + 3]);
      } else {
        for (int i = 0; i < 4; ++i)
          if (c_col + i < l) to[c_col + i] = sums[r][n + i];
      }
    }
  }
}

void gemm(const float* a, const float* b, float* c, int j, int k, int l) {
  const dim3 grid((l + tile - 1) / tile, (j + tile - 1) / tile);
  if (k % 4 == 0 && l % 4 == 0)
    multiply<true><<<grid, threads>>>(a, b, c, j, k, l);
  else
    multiply<false><<<grid, threads>>>(a, b, c, j, k, l);
}

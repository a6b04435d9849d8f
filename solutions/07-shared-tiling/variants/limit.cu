// expect: correct=pass safe=pass fast=100..100
// What is possible with ordinary multiply-adds: a block makes 128 x 128 elements of C, a thread 8 x 8 of them in registers,
// so that the 16 floats it reads from shared memory serve 64 multiply-adds. While one slice of the tiles is multiplied, the
// next one is on its way: global memory to registers, then to the other half of a doubled tile, with one barrier a slice.
#include <cuda_runtime.h>

constexpr int tile = 128, depth = 8, part = 8, threads = 256;

// j and l are multiples of 128, k of 8.
__global__ __launch_bounds__(threads, 2) void product_of_tiles(const float* __restrict__ a, const float* __restrict__ b,
                                                               float* __restrict__ c, int k, int l) {
  __shared__ __align__(16) float tile_a[2][depth][tile];  // a slice of A, turned: neighbouring rows lie side by side
  __shared__ __align__(16) float tile_b[2][depth][tile];
  const int thread = threadIdx.x;
  const int load_row = thread / 2, load_step = thread % 2 * 4;     // of A's slice: 128 rows, 8 steps
  const int load_depth = thread / 32, load_col = thread % 32 * 4;  // of B's slice: 8 rows, 128 columns
  const float* from_a = a + (static_cast<size_t>(blockIdx.y) * tile + load_row) * k + load_step;
  const float* from_b = b + static_cast<size_t>(load_depth) * l + blockIdx.x * tile + load_col;
  // A warp's 32 threads make 32 x 64 of C: four rows of threads by eight columns of them. Each thread has 4 + 4 rows and
  // 4 + 4 columns, so that all of its reads from shared memory are of 16 bytes.
  const int lane = thread % 32, warp = thread / 32;
  const int row = warp / 2 * 32 + lane / 8 * 4, col = warp % 2 * 64 + lane % 8 * 4;

  const auto store_slice = [&](int half, float4 va, float4 vb) {
    tile_a[half][load_step + 0][load_row] = va.x;
    tile_a[half][load_step + 1][load_row] = va.y;
    tile_a[half][load_step + 2][load_row] = va.z;
    tile_a[half][load_step + 3][load_row] = va.w;
    *reinterpret_cast<float4*>(&tile_b[half][load_depth][load_col]) = vb;
  };

  float sums[part][part] = {};
  store_slice(0, *reinterpret_cast<const float4*>(from_a), *reinterpret_cast<const float4*>(from_b));
  __syncthreads();
  for (int step = depth, half = 0;; step += depth, half ^= 1) {
    float4 next_a, next_b;
    const bool more = step < k;
    if (more) {
      next_a = *reinterpret_cast<const float4*>(from_a + step);
      next_b = *reinterpret_cast<const float4*>(from_b + static_cast<size_t>(step) * l);
    }
#pragma unroll
    for (int d = 0; d < depth; ++d) {
      float left[part], right[part];
      *reinterpret_cast<float4*>(left) = *reinterpret_cast<const float4*>(&tile_a[half][d][row]);
      *reinterpret_cast<float4*>(left + 4) = *reinterpret_cast<const float4*>(&tile_a[half][d][row + 16]);
      *reinterpret_cast<float4*>(right) = *reinterpret_cast<const float4*>(&tile_b[half][d][col]);
      *reinterpret_cast<float4*>(right + 4) = *reinterpret_cast<const float4*>(&tile_b[half][d][col + 32]);
#pragma unroll
      for (int i = 0; i < part; ++i)
#pragma unroll
        for (int n = 0; n < part; ++n) sums[i][n] += left[i] * right[n];
    }
    if (!more) break;
    store_slice(half ^ 1, next_a, next_b);
    __syncthreads();
  }

  for (int i = 0; i < part; ++i) {
    const int r = blockIdx.y * tile + row + i % 4 + i / 4 * 16;
    float* to = c + static_cast<size_t>(r) * l + blockIdx.x * tile + col;
    *reinterpret_cast<float4*>(to) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    *reinterpret_cast<float4*>(to + 32) = make_float4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
  }
}

// Any size: the textbook's tiles of 16.
constexpr int small = 16;

__global__ void product_of_any_size(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ float tile_a[small][small], tile_b[small][small];
  const int row = blockIdx.y * small + threadIdx.y, col = blockIdx.x * small + threadIdx.x;
  float sum = 0;
  for (int step = 0; step < k; step += small) {
    const int ka = step + threadIdx.x, kb = step + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < j && ka < k ? a[row * k + ka] : 0;
    tile_b[threadIdx.y][threadIdx.x] = kb < k && col < l ? b[kb * l + col] : 0;
    __syncthreads();
    for (int p = 0; p < small; ++p) sum += tile_a[threadIdx.y][p] * tile_b[p][threadIdx.x];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  if (j % tile == 0 && l % tile == 0 && k % depth == 0) {
    product_of_tiles<<<dim3(l / tile, j / tile), threads>>>(a, b, c, k, l);
  } else {
    const dim3 grid((l + small - 1) / small, (j + small - 1) / small);
    product_of_any_size<<<grid, dim3(small, small)>>>(a, b, c, j, k, l);
  }
}

// C = alpha A B + beta C on tensor cores, in the manner of courses: blocks of four warps stage tiles of A and B in shared memory,
// each warp holds four accumulators, and the result is scaled fragment by fragment.
#include <cuda_fp16.h>
#include <mma.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using namespace nvcuda::wmma;

#define CHECK(call)                                                                    \
  do {                                                                                 \
    cudaError_t status = call;                                                         \
    if (status != cudaSuccess) {                                                       \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(1);                                                                         \
    }                                                                                  \
  } while (0)

constexpr int wmma_size = 16, block_tile = 64, step = 32, padding = 8;

__global__ void gemm(const half *a, const half *b, float *c, int m, int n, int k, float alpha, float beta) {
  __shared__ __align__(32) half as[block_tile][step + padding];
  __shared__ __align__(32) half bs[step][block_tile + padding];
  const int warp = threadIdx.x / warpSize, warp_row = warp / 2 * 32, warp_column = warp % 2 * 32;
  const int row0 = blockIdx.y * block_tile, column0 = blockIdx.x * block_tile;
  fragment<accumulator, wmma_size, wmma_size, wmma_size, float> sums[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) fill_fragment(sums[i][j], 0.0f);
  for (int k0 = 0; k0 < k; k0 += step) {
    // Each thread copies 8 halves at a time, where the matrices have them.
    for (int i = threadIdx.x * 8; i < block_tile * step; i += blockDim.x * 8) {
      const int row = i / step, column = i % step;
      const bool is_inside = row0 + row < m && k0 + column < k;
      *reinterpret_cast<uint4 *>(&as[row][column]) =
          is_inside ? *reinterpret_cast<const uint4 *>(a + (row0 + row) * k + k0 + column) : make_uint4(0, 0, 0, 0);
    }
    for (int i = threadIdx.x * 8; i < step * block_tile; i += blockDim.x * 8) {
      const int row = i / block_tile, column = i % block_tile;
      const bool is_inside = k0 + row < k && column0 + column < n;
      *reinterpret_cast<uint4 *>(&bs[row][column]) =
          is_inside ? *reinterpret_cast<const uint4 *>(b + (k0 + row) * n + column0 + column) : make_uint4(0, 0, 0, 0);
    }
    __syncthreads();
    for (int kk = 0; kk < step; kk += wmma_size) {
      fragment<matrix_a, wmma_size, wmma_size, wmma_size, half, row_major> left[2];
      fragment<matrix_b, wmma_size, wmma_size, wmma_size, half, row_major> right[2];
      for (int i = 0; i < 2; ++i) {
        load_matrix_sync(left[i], &as[warp_row + i * wmma_size][kk], step + padding);
        load_matrix_sync(right[i], &bs[kk][warp_column + i * wmma_size], block_tile + padding);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const int row = row0 + warp_row + i * wmma_size, column = column0 + warp_column + j * wmma_size;
      if (row >= m || column >= n) continue;  // m and n are multiples of 16
      fragment<accumulator, wmma_size, wmma_size, wmma_size, float> old;
      load_matrix_sync(old, c + row * n + column, n, mem_row_major);
      for (int e = 0; e < old.num_elements; ++e) sums[i][j].x[e] = alpha * sums[i][j].x[e] + beta * old.x[e];
      store_matrix_sync(c + row * n + column, sums[i][j], n, mem_row_major);
    }
}

int main() {
  const int m = 80, n = 112, k = 96;
  const float alpha = 1.5f, beta = -0.5f;
  std::mt19937 engine(3);
  std::uniform_real_distribution<float> real(-1, 1);
  std::vector<half> a(m * k), b(k * n);
  std::vector<float> before(m * n), after(m * n);
  for (half &x : a) x = __float2half(real(engine));
  for (half &x : b) x = __float2half(real(engine));
  for (float &x : before) x = real(engine);
  half *da, *db;
  float *dc;
  CHECK(cudaMalloc(&da, a.size() * sizeof(half)));
  CHECK(cudaMalloc(&db, b.size() * sizeof(half)));
  CHECK(cudaMalloc(&dc, before.size() * sizeof(float)));
  CHECK(cudaMemcpy(da, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dc, before.data(), before.size() * sizeof(float), cudaMemcpyHostToDevice));
  const dim3 grid((n + block_tile - 1) / block_tile, (m + block_tile - 1) / block_tile);
  gemm<<<grid, 128>>>(da, db, dc, m, n, k, alpha, beta);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(after.data(), dc, after.size() * sizeof(float), cudaMemcpyDeviceToHost));
  double largest = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int x = 0; x < k; ++x) sum += (double)__half2float(a[i * k + x]) * __half2float(b[x * n + j]);
      const double right = alpha * sum + beta * before[i * n + j];
      largest = std::fmax(largest, std::fabs(after[i * n + j] - right));
    }
  printf("%d x %d x %d: %s\n", m, n, k, largest < 1e-4 ? "right" : "wrong");
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
  CHECK(cudaFree(dc));
  return largest < 1e-4 ? 0 : 1;
}

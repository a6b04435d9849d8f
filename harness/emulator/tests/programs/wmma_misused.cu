// Fragments belong to whole warps and are loaded from memory that others have finished writing: what is not so is found.
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

using left = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using right = wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major>;
using sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void with_some_lanes(const __half *a, float *c) {
  sums s;
  left l;
  right r;
  wmma::fill_fragment(s, 0.0f);
  wmma::load_matrix_sync(l, a, 16);
  wmma::load_matrix_sync(r, a, 16);
  wmma::mma_sync(s, l, r, s);
  wmma::store_matrix_sync(c, s, 16, wmma::mem_row_major);
}

__global__ void in_a_branch(const __half *a, float *c) {
  left l;
  if (threadIdx.x >= 16) {
    wmma::load_matrix_sync(l, a, 16);
  } else {
    __syncwarp(0xffff);
    c[threadIdx.x] = 1;
    return;
  }
  c[threadIdx.x] = l.x[0];
}

__global__ void without_barrier(float *c) {
  __shared__ __align__(32) __half tile[2][256];
  const int warp = threadIdx.x / 32;
  for (int i = threadIdx.x % 32; i < 256; i += 32) tile[warp][i] = __float2half(1);
  left l;
  wmma::load_matrix_sync(l, tile[1 - warp], 16);  // of the other warp
  if (threadIdx.x == 0) c[0] = l.x[0];
}

__global__ void beyond(const float *c, float *out) {
  sums s;
  wmma::load_matrix_sync(s, c, 20, wmma::mem_row_major);
  wmma::store_matrix_sync(out, s, 16, wmma::mem_row_major);
}

void run(const char *name) { printf("%s: %s\n", name, cudaGetErrorString(cudaDeviceSynchronize())); }

int main(int count, char **words) {
  const int which = count > 1 ? words[1][0] - '0' : 0;
  __half *a;
  float *c, *d;
  cudaMalloc(&a, 256 * sizeof(__half));
  cudaMalloc(&c, 256 * sizeof(float));
  cudaMalloc(&d, 256 * sizeof(float));
  cudaMemset(a, 0, 256 * sizeof(__half));
  cudaMemset(c, 0, 256 * sizeof(float));
  without_barrier<<<1, 64>>>(d);
  run("without a barrier");
  beyond<<<1, 32>>>(c, d);
  run("beyond the matrix");
  if (which == 1)
    in_a_branch<<<1, 32>>>(a, d);
  else
    with_some_lanes<<<1, 48>>>(a, d);
  run("without some lanes");
  cudaDeviceReset();
}

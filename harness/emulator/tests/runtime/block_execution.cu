// Grids, blocks and block barriers: every thread runs once, with its coordinates, its block's own shared memory, and in
// step with the others at barriers.
#include <doctest/doctest.h>

#include <numeric>

#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

__global__ void count_threads(int* visits, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  visits[(z * height + y) * width + x] += 1;
}

TEST_CASE("every thread of a three-dimensional grid runs once") {
  device_memory<int> visits(12 * 10 * 6, 0);
  count_threads<<<dim3(3, 2, 3), dim3(4, 5, 2)>>>(visits.get(), 12, 10);
  CHECK(visits.host() == std::vector<int>(12 * 10 * 6, 1));
}

__global__ void reverse_in_block(const int* in, int* out) {
  __shared__ int tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[blockDim.x - 1 - threadIdx.x];
}

TEST_CASE("what is written to shared memory before a barrier is read after it, by threads of other warps too") {
  std::vector<int> values(1024);
  std::iota(values.begin(), values.end(), 0);
  device_memory<int> in(values), out(1024, 0);
  reverse_in_block<<<4, 256>>>(in.get(), out.get());
  const std::vector<int> result = out.host();
  for (int i = 0; i < 1024; ++i) REQUIRE(result[i] == i / 256 * 256 + 255 - i % 256);
}

__global__ void reverse_dynamic(const int* in, int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

TEST_CASE("dynamic shared memory has the size of the launch") {
  std::vector<int> values(1024);
  std::iota(values.begin(), values.end(), 0);
  device_memory<int> in(values), out(1024, 0);
  reverse_dynamic<<<1, 1024, 4096>>>(in.get(), out.get());
  CHECK(out.host().front() == 1023);
  CHECK(out.host().back() == 0);
}

__global__ void vote_at_barrier(int* out) {
  const int i = threadIdx.x;
  const int count = __syncthreads_count(i % 3 == 0);
  const int all = __syncthreads_and(i < 100);
  const int any = __syncthreads_or(i == 99);
  if (i == 0) {
    out[0] = count;
    out[1] = all;
    out[2] = any;
  }
}

TEST_CASE("barriers that reduce answer for the whole block") {
  device_memory<int> out(3, -1);
  vote_at_barrier<<<1, 100>>>(out.get());
  CHECK(out.host() == std::vector<int>{34, 1, 1});
}

__global__ void sum_of_loop(float* out, int rounds) {
  __shared__ float sum[64];
  sum[threadIdx.x] = 0.0f;
  for (int i = 0; i < rounds; ++i) {
    __syncthreads();
    const float neighbour = sum[(threadIdx.x + 1) % 64];
    __syncthreads();
    sum[threadIdx.x] = neighbour + 1.0f;
  }
  __syncthreads();
  out[threadIdx.x] = sum[threadIdx.x];
}

TEST_CASE("a barrier in a loop is met as often as the loop runs") {
  static_cast<void>(take_report());
  device_memory<float> out(64, 0.0f);
  sum_of_loop<<<1, 64>>>(out.get(), 300);
  CHECK(out.host() == std::vector<float>(64, 300.0f));
  const report r = take_report();
  REQUIRE(r.launches.size() == 1);
  CHECK(r.launches[0].barriers == 601);
  CHECK(r.findings.empty());
}

// Each warp reads once; the second warp of the second block makes 20 requests more, some by a part of its lanes. Local memory
// is left out.
__global__ void one_busy_warp(const float* in, float* out) {
  float own[8] = {};
  float sum = in[threadIdx.x];
  if (blockIdx.x == 1 && threadIdx.x >= 32)
    for (int i = 0; i < 20; ++i)
      if (i < 10 || threadIdx.x % 2 == 0) sum += in[i];
  for (int i = 0; i < static_cast<int>(sum); ++i) own[i % 8] += sum;
  out[blockIdx.x * 64 + threadIdx.x] = own[static_cast<int>(sum) % 8];
}

TEST_CASE("the busiest warp of a launch is known by its requests") {
  static_cast<void>(take_report());
  device_memory<float> in(64, 1.0f), out(128, 0.0f);
  one_busy_warp<<<2, 64>>>(in.get(), out.get());
  one_busy_warp<<<1, 64>>>(in.get(), out.get());
  const report r = take_report();
  REQUIRE(r.launches.size() == 2);
  CHECK(r.launches[0].busiest_warp_requests == 22);
  CHECK(r.launches[1].busiest_warp_requests == 2);
  CHECK(r.launches[0].working_warps == 4);
  CHECK(r.launches[1].working_warps == 2);
}

// Of each block one warp works, between barriers, and keeps its sums in local memory.
__global__ void half_at_work(const float* in, float* out) {
  volatile float own[8] = {};
  for (int i = 0; i < 3; ++i) {
    own[i] = static_cast<float>(i);
    if (threadIdx.x < 32 && blockIdx.x < 3) out[blockIdx.x * 32 + threadIdx.x] = own[i] + in[threadIdx.x];
    __syncthreads();
  }
}

TEST_CASE("a warp without a request does not work, and one that makes them between barriers is one") {
  static_cast<void>(take_report());
  device_memory<float> in(64, 1.0f), out(96, 0.0f);
  half_at_work<<<5, 64>>>(in.get(), out.get());
  const report r = take_report();
  REQUIRE(r.launches.size() == 1);
  CHECK(r.launches[0].working_warps == 3);
}

__device__ int offset = 5;
__constant__ int factors[4];

__global__ void use_symbols(int* out) { out[threadIdx.x] = factors[threadIdx.x % 4] * 10 + offset; }

TEST_CASE("device and constant variables are written by symbol and keep their initial value until then") {
  const int host_factors[4] = {1, 2, 3, 4};
  REQUIRE(cudaMemcpyToSymbol(factors, host_factors, sizeof host_factors) == cudaSuccess);
  device_memory<int> out(4, 0);
  use_symbols<<<1, 4>>>(out.get());
  CHECK(out.host() == std::vector<int>{15, 25, 35, 45});
  const int seven = 7;
  REQUIRE(cudaMemcpyToSymbol(offset, &seven, sizeof seven) == cudaSuccess);
  use_symbols<<<1, 4>>>(out.get());
  CHECK(out.host() == std::vector<int>{17, 27, 37, 47});
  int back = 0;
  REQUIRE(cudaMemcpyFromSymbol(&back, offset, sizeof back) == cudaSuccess);
  CHECK(back == 7);
}

struct matrix {
  float* elements;
  int width, stride;
};
__global__ void fill_rows(matrix m) {
  m.elements[blockIdx.x * m.stride + threadIdx.x] = static_cast<float>(blockIdx.x);
}

TEST_CASE("structures are passed by value") {
  device_memory<float> memory(4 * 8, -1.0f);
  fill_rows<<<4, 6>>>(matrix{memory.get(), 6, 8});
  const auto host = memory.host();
  CHECK(host[3 * 8 + 5] == 3.0f);
  CHECK(host[3 * 8 + 6] == -1.0f);
}

__global__ void large_local_array(int* out, int n) {
  int local[8192];
  for (int i = 0; i < n; ++i) local[(i * 37) % n] = i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += local[i];
  out[threadIdx.x] = sum;
}

TEST_CASE("a local array of 32 KiB per thread fits") {
  device_memory<int> out(64, 0);
  large_local_array<<<1, 64>>>(out.get(), 8191);
  CHECK(out.host() == std::vector<int>(64, 8191 * 8190 / 2));
}

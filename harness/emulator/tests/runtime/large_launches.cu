// Launches of the largest kind: what they need must come when it is touched, and be there.
#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <numeric>
#include <vector>

#include "emulator.h"
#include "tests/runtime/device_memory.h"

using namespace simtlab::emulator;

namespace {

/// Memory of this process that is in use, in MB.
long resident_megabytes() {
  long all = 0, resident = 0;
  std::FILE* f = std::fopen("/proc/self/statm", "r");
  REQUIRE(f != nullptr);
  REQUIRE(std::fscanf(f, "%ld %ld", &all, &resident) == 2);
  std::fclose(f);
  return resident * sysconf(_SC_PAGESIZE) / 1000000;
}

__global__ void number(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

__global__ void mark_last(int* out) {
  if (blockIdx.x == gridDim.x - 1) *out = blockIdx.x;
}

__global__ void fill_local(int* out) {
  int own[48 * 1024 / 4];
  for (int i = 0; i < 48 * 1024 / 4; i += 256) own[i] = threadIdx.x + i;
  int sum = 0;
  for (int i = 0; i < 48 * 1024 / 4; i += 256) sum += own[i] - i;
  out[threadIdx.x] = sum;
}

__device__ __noinline__ int calls(int n) { return n == 0 ? 0 : 1 + calls(n - 1); }
__global__ void recurse(int* out, int n) { out[threadIdx.x] = calls(n); }

extern __shared__ int dynamic[];
__global__ void reverse_dynamic(int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) dynamic[i] = i;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = dynamic[n - 1 - i];
}

}  // namespace

TEST_CASE("an allocation of 4 GiB of which 1 MiB is touched costs megabytes") {
  const long before = resident_megabytes();
  int* big = nullptr;
  REQUIRE(cudaMalloc(&big, std::size_t{4} << 30) == cudaSuccess);
  number<<<1024, 256>>>(big, 1 << 18);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(resident_megabytes() - before < 1024);  // 9 in fact; ThreadSanitizer adds 550 of its own
  cudaFree(big);
}

TEST_CASE("a grid of a million blocks") {
  device_memory<int> out(1);
  mark_last<<<1000000, 1>>>(out.get());
  CHECK(out.host() == std::vector{999999});
}

TEST_CASE("1,024 threads with 48 KiB of local array each") {
  device_memory<int> out(1024);
  fill_local<<<1, 1024>>>(out.get());
  std::vector<int> wanted(1024);
  for (int i = 0; i < 1024; ++i) wanted[static_cast<std::size_t>(i)] = 48 * i;
  CHECK(out.host() == wanted);
}

TEST_CASE("a recursion of a thousand calls") {
  device_memory<int> out(32);
  recurse<<<1, 32>>>(out.get(), 1000);
  CHECK(out.host() == std::vector<int>(32, 1000));
}

TEST_CASE("200 KiB of dynamic shared memory") {
  constexpr int n = 200 * 1024 / 4;
  device_memory<int> out(n);
  REQUIRE(cudaFuncSetAttribute(reverse_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 4 * n) == cudaSuccess);
  reverse_dynamic<<<1, 1024, 4 * n>>>(out.get(), n);
  std::vector<int> wanted(n);
  std::iota(wanted.rbegin(), wanted.rend(), 0);
  CHECK(out.host() == wanted);
}

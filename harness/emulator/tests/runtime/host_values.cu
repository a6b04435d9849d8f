// Whose values lie in device memory: host code's stay host code's where a kernel does no more than carry them.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <random>
#include <vector>

#include <cuda_runtime.h>

#include "emulator.h"

using namespace simtlab::emulator;

namespace {

constexpr int elements = 32;
constexpr std::size_t bytes = elements * sizeof(int);

__global__ void fill(int* to) { to[threadIdx.x] = static_cast<int>(threadIdx.x); }
__global__ void combine(const int* a, const int* b, int* to) { to[threadIdx.x] = a[threadIdx.x] ^ b[threadIdx.x]; }
__global__ void carry(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void carry_twice(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x];
  to[threadIdx.x] += 1;
}
__global__ void add_to(const int* from, int* to) { atomicAdd(&to[threadIdx.x], from[threadIdx.x]); }

/// Device memory that the program is handed.
class handed {
 public:
  handed() {
    REQUIRE(cudaMalloc(&memory_, bytes) == cudaSuccess);
    REQUIRE(cudaMemset(memory_, 0, bytes) == cudaSuccess);
    name_memory(memory_, bytes, "handed");
  }
  ~handed() { cudaFree(memory_); }
  handed(const handed&) = delete;
  handed& operator=(const handed&) = delete;
  operator int*() { return memory_; }
  void copy_from_host() {
    const std::vector<int> values(elements, 7);
    REQUIRE(cudaMemcpy(memory_, values.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess);
  }
  [[nodiscard]] std::size_t of_host() const { return stored_by_host(memory_, bytes).bytes; }

 private:
  int* memory_ = nullptr;
};

}  // namespace

TEST_CASE("a kernel that reads nothing but host code's values makes none of its own") {
  (void)take_report(false);
  handed table, step, out;
  table.copy_from_host();
  carry<<<1, elements>>>(table, step);
  CHECK(step.of_host() == bytes);
  carry<<<1, elements>>>(step, out);
  CHECK(out.of_host() == bytes);
  carry_twice<<<1, elements>>>(table, out);
  CHECK(out.of_host() == bytes);
}

TEST_CASE("values that kernels make of an argument, a table or zeros are theirs") {
  (void)take_report(false);
  handed argument, table, ready, out;
  fill<<<1, elements>>>(argument);
  table.copy_from_host();
  carry<<<1, elements>>>(table, ready);
  combine<<<1, elements>>>(ready, argument, out);
  CHECK(out.of_host() == 0);
  REQUIRE(cudaMemset(out, 0, bytes) == cudaSuccess);
  add_to<<<1, elements>>>(argument, out);
  CHECK(out.of_host() == 0);
  fill<<<1, elements>>>(ready);
  CHECK(ready.of_host() == 0);
  carry<<<1, elements>>>(ready, out);
  CHECK(out.of_host() == 0);
}

TEST_CASE("a few results of the host's may come by a kernel, of one call no more than 64 bytes") {
  (void)take_report(false);
  handed table, out;
  table.copy_from_host();
  carry<<<1, 12>>>(table, out);
  CHECK(out.of_host() == 0);
  carry<<<1, 4>>>(table + 12, out + 12);
  CHECK(out.of_host() == 0);
  carry<<<1, 1>>>(table + 16, out + 16);
  CHECK(out.of_host() == 17 * sizeof(int));
}

TEST_CASE("random sequences of copies and launches: an array is the host's if all that it was made of is") {
  std::mt19937 random(20261123);
  for (int run = 0; run < 30; ++run) {
    (void)take_report(false);
    std::array<handed, 4> arrays;
    std::array<bool, 4> of_host{};
    for (int n = 0; n < 12; ++n) {
      CAPTURE(run);
      CAPTURE(n);
      const std::size_t to = random() % 4, a = (to + 1 + random() % 3) % 4, b = (to + 1 + random() % 3) % 4;
      switch (random() % 6) {
        case 0:
          arrays[to].copy_from_host();
          of_host[to] = true;
          break;
        case 1:
          REQUIRE(cudaMemset(arrays[to], 0, bytes) == cudaSuccess);
          of_host[to] = false;
          break;
        case 2:
          fill<<<1, elements>>>(arrays[to]);
          of_host[to] = false;
          break;
        case 3:
          REQUIRE(cudaMemcpy(arrays[to], arrays[a], bytes, cudaMemcpyDeviceToDevice) == cudaSuccess);
          of_host[to] = of_host[a];
          break;
        default:
          combine<<<1, elements>>>(arrays[a], arrays[b], arrays[to]);
          of_host[to] = of_host[a] && of_host[b];
      }
      for (std::size_t i = 0; i < arrays.size(); ++i) CHECK(arrays[i].of_host() == (of_host[i] ? bytes : 0));
    }
  }
}

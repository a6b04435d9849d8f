// Inline PTX that decides where threads go on: labels and branches, and named barriers, with what their misuse is found as.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "claims/measurement.h"
#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

namespace {

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

}  // namespace

/// Twice in one kernel: each has labels of its own.
__device__ __forceinline__ int collatz(int n) {
  int steps;
  asm volatile(
      "{\n"
      "  .reg .pred done, odd;\n"
      "  .reg .b32 n, half;\n"
      "  mov.b32 n, %1;\n"
      "  mov.b32 %0, 0;\n"
      "$next:\n"
      "  setp.le.s32 done, n, 1;\n"
      "  @done bra $end;\n"
      "  add.s32 %0, %0, 1;\n"
      "  and.b32 half, n, 1;\n"
      "  setp.ne.s32 odd, half, 0;\n"
      "  @!odd bra even;\n"
      "  mad.lo.s32 n, n, 3, 1;\n"
      "  bra.uni $next;\n"
      "even: shr.s32 n, n, 1;\n"
      "  bra $next;\n"
      "$end:\n"
      "}"
      : "=r"(steps)
      : "r"(n));
  return steps;
}
__global__ void all_steps(int* out) { out[threadIdx.x] = collatz(threadIdx.x + 1) + 1000 * collatz(27); }

TEST_CASE("branches go to labels in front and behind, which each asm statement has for itself") {
  device_memory<int> out(8);
  const claims::measurement m([&] { all_steps<<<1, 8>>>(out.get()); });
  CHECK(m.silent());
  CHECK(out.host() == std::vector<int>{111000, 111001, 111007, 111002, 111005, 111008, 111016, 111003});
}

/// Two warps fill a buffer, two use it: a barrier that says full, and one that says empty.
__global__ void produce_and_consume(int* out, int waits) {
  __shared__ int buffer[64];
  const int t = threadIdx.x % 64, full = 1, empty = 2;
  if (threadIdx.x < 64) {
    for (int round = 0; round < 3; ++round) {
      asm volatile("bar.sync %0, 128;" ::"r"(empty) : "memory");
      buffer[t] = 10 * round + t;
      asm volatile("bar.arrive %0, %1;" ::"r"(full), "n"(128) : "memory");
    }
  } else {
    int sum = 0;
    for (int round = 0; round < 3; ++round) {
      asm volatile("barrier.cta.arrive.aligned 2, 128;" ::: "memory");
      if (waits) asm volatile("bar.sync 1, 128;" ::: "memory");
      sum += buffer[63 - t];
    }
    out[t] = sum;
  }
}

TEST_CASE("named barriers order what came before them; who only arrives goes on") {
  device_memory<int> out(64);
  const claims::measurement m([&] { produce_and_consume<<<1, 128>>>(out.get(), 1); });
  CHECK(m.silent());
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out.host()[0] == 3 * 63 + 30);
}

__global__ void halves(const int* in, int* out, int others) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  asm volatile("bar.sync %0, 64;" ::"r"(1 + (int)threadIdx.x / 64) : "memory");
  out[threadIdx.x] = tile[threadIdx.x ^ others];
}

TEST_CASE("a named barrier orders those who came to it, and nobody else") {
  device_memory<int> in(std::vector<int>(128, 7)), out(128);
  const claims::measurement inside([&] { halves<<<1, 128>>>(in.get(), out.get(), 32); });
  CHECK(inside.silent());
  const claims::measurement across([&] { halves<<<1, 128>>>(in.get(), out.get(), 64); });
  REQUIRE(!across.findings(rule::shared_race).empty());
  CHECK(across.findings(rule::shared_race)[0].variable == "tile");
}

__global__ void of_two_minds() {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 3, 64;");
  else
    asm volatile("bar.sync 3, 32;");
}
__global__ void no_such_barrier(unsigned number) { asm volatile("bar.sync %0, 32;" ::"r"(number)); }

TEST_CASE("a number of threads that is none, and a barrier that is none, end the kernel") {
  for (const bool threads : {true, false}) {
    const claims::measurement m([&] {
      if (threads)
        of_two_minds<<<1, 64>>>();
      else
        no_such_barrier<<<1, 32>>>(16);
    });
    REQUIRE(m.findings(rule::failed_assertion).size() == 1);
    CHECK(has(m.findings(rule::failed_assertion)[0].message,
              threads ? "for others of its threads for 64. All of them name the same number." : "this is number 16"));
    CHECK(cudaDeviceReset() == cudaSuccess);
  }
}

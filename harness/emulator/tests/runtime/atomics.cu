// Every atomic function of the CUDA table, with each of its types: the old value comes back, the new one is stored.
#include <doctest/doctest.h>

#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

template <class T, class Operation>
__global__ void apply(T* target, T* old, Operation operation) {
  *old = operation(target);
}

/// {old value returned, value stored} after `operation` on a word that holds `before`.
template <class T, class Operation>
std::pair<T, T> outcome(T before, Operation operation) {
  device_memory<T> target(1, before), old(1, T(77));
  apply<<<1, 1>>>(target.get(), old.get(), operation);
  return {old.host()[0], target.host()[0]};
}

TEST_CASE_TEMPLATE("add and exchange return the old value", T, int, unsigned, unsigned long long, float) {
  CHECK(outcome(T(40), [] __device__(T * p) { return atomicAdd(p, T(2)); }) == std::pair(T(40), T(42)));
  CHECK(outcome(T(40), [] __device__(T * p) { return atomicExch(p, T(2)); }) == std::pair(T(40), T(2)));
}

TEST_CASE("double adds too") {
  CHECK(outcome(0.5, [] __device__(double* p) { return atomicAdd(p, 0.25); }) == std::pair(0.5, 0.75));
}

TEST_CASE_TEMPLATE("sub", T, int, unsigned) {
  CHECK(outcome(T(40), [] __device__(T * p) { return atomicSub(p, T(2)); }) == std::pair(T(40), T(38)));
}

TEST_CASE_TEMPLATE("min and max", T, int, unsigned, long long, unsigned long long) {
  CHECK(outcome(T(40), [] __device__(T * p) { return atomicMin(p, T(2)); }) == std::pair(T(40), T(2)));
  CHECK(outcome(T(40), [] __device__(T * p) { return atomicMax(p, T(2)); }) == std::pair(T(40), T(40)));
}

TEST_CASE("min and max compare signed types as signed") {
  CHECK(outcome(-5, [] __device__(int* p) { return atomicMin(p, 3); }) == std::pair(-5, -5));
  CHECK(outcome(-5, [] __device__(int* p) { return atomicMax(p, 3); }) == std::pair(-5, 3));
}

TEST_CASE("inc and dec wrap at their operand") {
  CHECK(outcome(6u, [] __device__(unsigned* p) { return atomicInc(p, 7u); }) == std::pair(6u, 7u));
  CHECK(outcome(7u, [] __device__(unsigned* p) { return atomicInc(p, 7u); }) == std::pair(7u, 0u));
  CHECK(outcome(3u, [] __device__(unsigned* p) { return atomicDec(p, 7u); }) == std::pair(3u, 2u));
  CHECK(outcome(0u, [] __device__(unsigned* p) { return atomicDec(p, 7u); }) == std::pair(0u, 7u));
  CHECK(outcome(9u, [] __device__(unsigned* p) { return atomicDec(p, 7u); }) == std::pair(9u, 7u));
}

TEST_CASE_TEMPLATE("compare and swap stores only when the old value is the expected one", T, int, unsigned,
                   unsigned long long) {
  CHECK(outcome(T(4), [] __device__(T * p) { return atomicCAS(p, T(4), T(9)); }) == std::pair(T(4), T(9)));
  CHECK(outcome(T(5), [] __device__(T * p) { return atomicCAS(p, T(4), T(9)); }) == std::pair(T(5), T(5)));
}

TEST_CASE_TEMPLATE("and, or, xor", T, int, unsigned, unsigned long long) {
  CHECK(outcome(T(12), [] __device__(T * p) { return atomicAnd(p, T(10)); }) == std::pair(T(12), T(8)));
  CHECK(outcome(T(12), [] __device__(T * p) { return atomicOr(p, T(10)); }) == std::pair(T(12), T(14)));
  CHECK(outcome(T(12), [] __device__(T * p) { return atomicXor(p, T(10)); }) == std::pair(T(12), T(6)));
}

__global__ void count(int* counter) {
  __shared__ int in_block;
  if (threadIdx.x == 0) in_block = 0;
  __syncthreads();
  atomicAdd(&in_block, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(counter, in_block);
}

TEST_CASE("atomics count every thread, in shared and global memory, with any number of workers") {
  for (unsigned workers : {1u, 2u, 4u}) {
    options wanted;
    wanted.workers = workers;
    configure(wanted);
    device_memory<int> counter(1, 0);
    count<<<100, 96>>>(counter.get());
    CHECK(counter.host()[0] == 9600);
  }
  configure({});
}

__global__ void maximum_by_cas(const float* in, float* result) {
  unsigned* bits = reinterpret_cast<unsigned*>(result);
  unsigned old = *bits, assumed;
  do {
    assumed = old;
    if (__uint_as_float(assumed) >= in[threadIdx.x]) break;
    old = atomicCAS(bits, assumed, __float_as_uint(in[threadIdx.x]));
  } while (old != assumed);
}

TEST_CASE("a compare-and-swap loop makes the atomic that is missing") {
  std::vector<float> values(256);
  for (int i = 0; i < 256; ++i) values[i] = static_cast<float>((i * 91) % 256) - 300.0f;
  device_memory<float> in(values), result(1, -1000.0f);
  maximum_by_cas<<<1, 256>>>(in.get(), result.get());
  CHECK(result.host()[0] == -45.0f);
  const report r = take_report();  // the read before the loop also decides whether there is anything to swap
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].what == rule::global_race);
  CHECK(r.findings[0].kernel == "maximum_by_cas");
}

// Every way to learn what an array holds is counted with its lanes and bytes, under the array's name: plain and cached loads, atomic
// operations that change nothing, fetches through a texture. Criteria add the lanes of all of them.
#include <doctest/doctest.h>

#include <cuda_runtime.h>

#include "claims/device_array.h"
#include "claims/measurement.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

namespace {

constexpr int threads = 96;

template <class Load>
__global__ void copy(int* to, int* a, cudaTextureObject_t texture, Load load) {
  to[threadIdx.x] = load(a + threadIdx.x, texture);
}

/// Lanes and bytes that launches count for `a`, in whatever way.
template <class Load>
request_counters counted(Load load) {
  std::vector<int> values(threads);
  for (int i = 0; i < threads; ++i) values[i] = 5 * i;
  device_array<int> a("a", values), to("to", threads);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = a.data();
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = threads * sizeof(int);
  const cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  expect_success(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  const measurement m([&] { copy<<<1, threads>>>(to.data(), a.data(), texture, load); });
  expect_success(cudaDestroyTextureObject(texture));
  for (const finding& f : m.whole().findings) FAIL_CHECK(f.message);
  CHECK(to.contents() == values);
  request_counters sum = m.reads_of("a");
  sum += m.of(memory_space::global, access::atomic, "a");
  sum += m.of(memory_space::texture, access::read, "a");
  return sum;
}

}  // namespace

#define CHECK_COUNTED(expression)                                                                                     \
  {                                                                                                                   \
    const request_counters c = counted(                                                                               \
        [] __device__([[maybe_unused]] int* p, [[maybe_unused]] cudaTextureObject_t texture) { return expression; }); \
    CHECK(c.lanes == threads);                                                                                        \
    CHECK(c.bytes == threads * sizeof(int));                                                                          \
    CHECK(c.requests == threads / 32);                                                                                \
  }

TEST_CASE("loads") {
  CHECK_COUNTED(*p);
  CHECK_COUNTED(*(volatile int*)p);
  CHECK_COUNTED(__ldg(p));
  CHECK_COUNTED(__ldca(p));
  CHECK_COUNTED(__ldcg(p));
  CHECK_COUNTED(__ldcs(p));
  CHECK_COUNTED(__ldcv(p));
  CHECK_COUNTED(__ldlu(p));
}

TEST_CASE("atomic operations that change nothing") {
  CHECK_COUNTED(atomicAdd(p, 0));
  CHECK_COUNTED(atomicSub(p, 0));
  CHECK_COUNTED(atomicOr(p, 0));
  CHECK_COUNTED(atomicXor(p, 0));
  CHECK_COUNTED(atomicAnd(p, -1));
  CHECK_COUNTED(atomicMax(p, -1));
  CHECK_COUNTED(atomicMin(p, 1 << 30));
  CHECK_COUNTED(atomicCAS(p, -1, -1));
  CHECK_COUNTED(atomicExch(p, 5 * (int)threadIdx.x));
  CHECK_COUNTED((int)atomicInc((unsigned*)p, ~0u));
  CHECK_COUNTED((int)atomicDec((unsigned*)p, ~0u));
  CHECK_COUNTED(atomicAdd_block(p, 0));
  CHECK_COUNTED(atomicAdd_system(p, 0));
}

TEST_CASE("fetches") { CHECK_COUNTED(tex1Dfetch<int>(texture, threadIdx.x)); }

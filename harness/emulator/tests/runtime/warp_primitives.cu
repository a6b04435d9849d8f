// Shuffles, votes, match, reduce and __syncwarp give what the CUDA C++ Programming Guide says.
#include <doctest/doctest.h>

#include <algorithm>

#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

__global__ void shuffles(int* out) {
  const int lane = threadIdx.x % 32;
  out[0 * 32 + lane] = __shfl_sync(0xffffffffu, lane * 10, 5);
  out[1 * 32 + lane] = __shfl_up_sync(0xffffffffu, lane, 2);
  out[2 * 32 + lane] = __shfl_down_sync(0xffffffffu, lane, 3);
  out[3 * 32 + lane] = __shfl_xor_sync(0xffffffffu, lane, 16);
  out[4 * 32 + lane] = __shfl_down_sync(0xffffffffu, lane, 1, 8);
  out[5 * 32 + lane] = __shfl_up_sync(0xffffffffu, lane, 1, 8);
  out[6 * 32 + lane] = __shfl_sync(0xffffffffu, lane, 9, 8);
}

TEST_CASE("shuffles move values between lanes, inside segments of the given width") {
  device_memory<int> out(7 * 32, -1);
  shuffles<<<1, 32>>>(out.get());
  const auto v = out.host();
  for (int lane = 0; lane < 32; ++lane) {
    CHECK(v[lane] == 50);
    CHECK(v[32 + lane] == (lane < 2 ? lane : lane - 2));
    CHECK(v[64 + lane] == (lane > 28 ? lane : lane + 3));
    CHECK(v[96 + lane] == (lane ^ 16));
    CHECK(v[128 + lane] == (lane % 8 == 7 ? lane : lane + 1));
    CHECK(v[160 + lane] == (lane % 8 == 0 ? lane : lane - 1));
    CHECK(v[192 + lane] == lane / 8 * 8 + 1);
  }
}

template <class T>
__global__ void broadcast(T* out, T mine) {
  const T value = threadIdx.x == 7 ? mine : T(0);
  out[threadIdx.x] = __shfl_sync(0xffffffffu, value, 7);
}

TEST_CASE_TEMPLATE("every arithmetic type shuffles whole", T, int, unsigned, long long, float, double) {
  const T value = static_cast<T>(123456789.25);
  device_memory<T> out(32);
  broadcast<<<1, 32>>>(out.get(), value);
  CHECK(out.host() == std::vector<T>(32, value));
}

__global__ void votes(unsigned* out) {
  const unsigned lane = threadIdx.x;
  const unsigned ballot = __ballot_sync(0xffffffffu, lane % 2 == 0);
  const int all = __all_sync(0xffffffffu, lane < 32), any = __any_sync(0xffffffffu, lane > 31);
  const unsigned same = __match_any_sync(0xffffffffu, static_cast<int>(lane / 8));
  const unsigned sum = __reduce_add_sync(0xffffffffu, lane);
  const int least = __reduce_min_sync(0xffffffffu, static_cast<int>(lane) - 20);
  if (lane == 9) {
    out[0] = ballot;
    out[1] = static_cast<unsigned>(all);
    out[2] = static_cast<unsigned>(any);
    out[3] = same;
    out[4] = sum;
    out[5] = static_cast<unsigned>(least);
  }
}

TEST_CASE("votes, match and reduce answer for the lanes of the mask") {
  device_memory<unsigned> out(6);
  votes<<<1, 32>>>(out.get());
  CHECK(out.host() == std::vector<unsigned>{0x55555555u, 1, 0, 0x0000ff00u, 496, static_cast<unsigned>(-20)});
}

__global__ void halves(int* out) {
  const int lane = threadIdx.x;
  if (lane < 16)
    out[lane] = __shfl_sync(0x0000ffffu, lane, 3);
  else
    out[lane] = __shfl_sync(0xffff0000u, lane, 20);
}

TEST_CASE("the two sides of a branch shuffle among themselves") {
  static_cast<void>(take_report());
  device_memory<int> out(32, -1);
  halves<<<1, 32>>>(out.get());
  const auto v = out.host();
  CHECK(std::count(v.begin(), v.begin() + 16, 3) == 16);
  CHECK(std::count(v.begin() + 16, v.end(), 20) == 16);
  CHECK(take_report().findings.empty());
}

__global__ void partial_warp_sum(const float* in, float* out) {
  float v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x == 0) *out = v;
}

TEST_CASE("a reduction over a full warp sums") {
  device_memory<float> in(32, 2.0f), out(1, 0.0f);
  partial_warp_sum<<<1, 32>>>(in.get(), out.get());
  CHECK(out.host()[0] == 64.0f);
}

__global__ void active(unsigned* out) {
  if (threadIdx.x % 4 == 1) {
    const unsigned mask = __activemask();
    out[threadIdx.x] = mask;
  }
}

TEST_CASE("__activemask names the lanes that came to the call together") {
  device_memory<unsigned> out(32, 0u);
  active<<<1, 32>>>(out.get());
  CHECK(out.host()[1] == 0x22222222u);
  CHECK(out.host()[0] == 0);
}

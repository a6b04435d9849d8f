// Accesses that are no plain load or store of a number: every one is counted as a GPU would make it, in pieces of the type's
// alignment, and checked. Each way stores one element of shared memory for each thread and reads another thread's.
#include <doctest/doctest.h>

#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "claims/device_array.h"
#include "claims/measurement.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

namespace {

constexpr int threads = 64, warps = 2;

struct pair {
  float a, b;
};
struct three {
  float x, y, z;
};
struct quad {
  float x, y, z, w;
};
struct two_long {
  long a, b;
};
struct mixed {
  double a;
  long b;
};
struct tiny {
  char a, b;
};
struct odd {
  char a;
  short b;
  int c;
};
struct row {
  float v[8];
};
struct bits {
  unsigned a : 3, b : 13, c : 16;
};
union either {
  float4 f;
  int i[4];
};
template <int bytes>
struct characters {
  char c[bytes];
};
template <int words>
struct block_of {
  int w[words];
};

__device__ __noinline__ pair make_pair(int t) { return {float(t), float(t + 1)}; }
__device__ __noinline__ three make_three(int t) { return {float(t), float(t), float(t)}; }
__device__ __noinline__ quad make_quad(int t) { return {float(t), float(t), float(t), float(t)}; }
__device__ __noinline__ float4 make_vector(int t) { return make_float4(t, t, t, t); }
__device__ __noinline__ two_long make_two(int t) { return {t, t}; }
__device__ __noinline__ mixed make_mixed(int t) { return {double(t), t}; }
__device__ __noinline__ tiny make_tiny(int t) { return {char(t), char(t)}; }
__device__ __noinline__ odd make_odd(int t) { return {char(t), short(t), t}; }
__device__ __noinline__ row make_row(int t) {
  row r;
  for (float& v : r.v) v = t;
  return r;
}
__device__ __noinline__ float value(pair p) { return p.a; }
__device__ __noinline__ float value(three p) { return p.z; }
__device__ __noinline__ float value(quad p) { return p.w; }
__device__ __noinline__ float value(two_long p) { return p.b; }
__device__ __noinline__ float value(mixed p) { return p.b; }
__device__ __noinline__ float value(tiny p) { return p.b; }
__device__ __noinline__ float value(odd p) { return p.c; }
__device__ __noinline__ float value(row p) { return p.v[7]; }
__device__ __noinline__ float value(float4 p) { return p.w; }

/// Stored from a function's result, and passed by value.
template <class T, T (*make)(int), int pieces>
struct by_functions {
  using type = T;
  static constexpr int stores = pieces, loads = pieces;
  __device__ static void store(T* s, int t) { s[t] = make(t); }
  __device__ static float load(T* s, int t) { return value(s[t]); }
};
struct ternary : by_functions<quad, make_quad, 4> {
  __device__ static void store(quad* s, int t) { s[t] = t % 64 < 64 ? make_quad(t) : quad{1, 2, 3, 4}; }
};
/// The result is made in place, through the hidden pointer.
struct constructed : by_functions<row, make_row, 8> {
  __device__ static void store(row* s, int t) { new (s + t) row(make_row(t)); }
};

/// Assigned from a variable of the thread, which is assigned an element.
template <class T, int pieces>
struct assigned {
  using type = T;
  static constexpr int stores = pieces, loads = pieces;
  __device__ static void store(T* s, int t) {
    T own;
    memset(&own, t, sizeof own);
    s[t] = own;
  }
  __device__ static float load(T* s, int t) {
    volatile T* const own = &s[t];
    T copy = const_cast<T&>(*own);
    char first;
    memcpy(&first, &copy, 1);
    return first;
  }
};
struct cleared : assigned<quad, 4> {
  __device__ static void store(quad* s, int t) { s[t] = {}; }
};
struct literal : assigned<quad, 4> {
  __device__ static void store(quad* s, int t) { s[t] = quad{float(t), 0, 0, 1}; }
};

/// A GPU's compiler copies by bytes, because it knows nothing of the pointers.
template <int bytes>
struct copied {
  using type = characters<bytes>;
  static constexpr int stores = bytes, loads = bytes;
  __device__ static void store(type* s, int t) {
    type own;
    memset(&own, t, bytes);
    memcpy(&s[t], &own, bytes);
  }
  __device__ static float load(type* s, int t) {
    type own;
    memcpy(&own, &s[t], bytes);
    return own.c[bytes - 1];
  }
};
struct part_copied : copied<300> {
  static constexpr int stores = 200, loads = 200;
  __device__ static void store(type* s, int t) {
    type own;
    memset(&own, t, 200);
    memcpy(&s[t], &own, 200);
  }
  __device__ static float load(type* s, int t) {
    type own;
    memcpy(&own, &s[t], 200);
    return own.c[199];
  }
};
struct filled : copied<12> {
  __device__ static void store(type* s, int t) { memset(&s[t], t, 12); }
  __device__ static float load(type* s, int t) {
    char all = 0;
    for (int i = 0; i < 12; ++i) all |= reinterpret_cast<const char*>(&s[t])[i];
    return all;
  }
};

struct bit_fields {
  using type = bits;
  static constexpr int stores = 3, loads = 1;
  __device__ static void store(bits* s, int t) {
    s[t].a = 1;
    s[t].b = t;
    s[t].c = t;
  }
  __device__ static float load(bits* s, int t) { return s[t].c; }
};
struct volatiles {
  using type = volatile int;
  static constexpr int stores = 1, loads = 1;
  __device__ static void store(volatile int* s, int t) { s[t] = t; }
  __device__ static float load(volatile int* s, int t) { return s[t]; }
};
struct unions {
  using type = either;
  static constexpr int stores = 2, loads = 1;
  __device__ static void store(either* s, int t) {
    s[t].f = make_float4(t, t, t, t);
    s[t].i[2] = 5;
  }
  __device__ static float load(either* s, int t) { return s[t].i[2]; }
};
struct swapped {
  using type = float2;
  static constexpr int stores = 3, loads = 1;
  __device__ static void store(float2* s, int t) {
    s[t] = make_float2(t, t + 1);
    __syncwarp();  // or the store would be overwritten before anybody reads it, and is none (docs/internals/trace.md)
    const float x = s[t].x;
    s[t].x = s[t].y;
    s[t].y = x;
  }
  __device__ static float load(float2* s, int t) { return s[t].x; }
};
struct split {
  using type = float2;
  static constexpr int stores = 2, loads = 1;
  __device__ static void store(float2* s, int t) { sincosf(t * 0.1f, &s[t].x, &s[t].y); }
  __device__ static float load(float2* s, int t) { return s[t].x; }
};

template <class Way>
__global__ void exchange(float* out, bool wait) {
  __shared__ typename Way::type s[threads];
  const int t = threadIdx.x;
  Way::store(s, t);
  if (wait) __syncthreads();
  out[t] = Way::load(s, threads - 1 - t);
}

template <class Way>
void check(const std::string& name) {
  CAPTURE(name);
  device_array<float> out("out", threads);
  const measurement clean([&] { exchange<Way><<<1, threads>>>(out.data(), true); });
  for (const finding& f : clean.whole().findings) FAIL_CHECK(f.message);
  const request_counters stores = clean.shared_writes_of("s"), loads = clean.shared_reads_of("s");
  CHECK(stores.requests == warps * Way::stores);
  CHECK(loads.requests >= warps * Way::loads);
  CHECK(stores.lanes == 32 * stores.requests);
  CHECK(clean.writes_of("out").requests == warps);
  CHECK(clean.of(memory_space::global, access::read, "").requests == 0);

  const measurement racy([&] { exchange<Way><<<1, threads>>>(out.data(), false); });
  CHECK(racy.findings(rule::shared_race).size() + racy.findings(rule::same_value_race).size() > 0);
}

}  // namespace

TEST_CASE("a structure that a function returns or takes") {
  check<by_functions<pair, make_pair, 2>>("pair");
  check<by_functions<three, make_three, 3>>("three");
  check<by_functions<quad, make_quad, 4>>("quad");
  check<by_functions<float4, make_vector, 1>>("float4");
  check<by_functions<two_long, make_two, 2>>("two longs");
  check<by_functions<mixed, make_mixed, 2>>("mixed");
  check<by_functions<tiny, make_tiny, 2>>("tiny");
  check<by_functions<odd, make_odd, 2>>("odd");
  check<by_functions<row, make_row, 8>>("row");
  check<ternary>("ternary");
  check<constructed>("constructed in place");
}

TEST_CASE("a structure that is assigned, of 1 to 400 bytes") {
  check<assigned<characters<1>, 1>>("1");
  check<assigned<characters<2>, 2>>("2");
  check<assigned<characters<3>, 3>>("3");
  check<assigned<pair, 2>>("8");
  check<assigned<odd, 2>>("8, odd");
  check<assigned<three, 3>>("12");
  check<assigned<quad, 4>>("16");
  check<assigned<two_long, 2>>("16, by 8");
  check<assigned<float4, 1>>("16, by 16");
  check<assigned<double2, 1>>("double2");
  check<assigned<float2, 1>>("float2");
  check<assigned<row, 8>>("32");
  check<assigned<block_of<16>, 16>>("64");
  check<assigned<block_of<100>, 100>>("400");
  check<cleared>("cleared");
  check<literal>("literal");
}

TEST_CASE("bytes that are copied, set or compared") {
  check<copied<5>>("5");
  check<copied<24>>("24");
  check<part_copied>("200 of 300");
  check<filled>("memset, bytes");
}

TEST_CASE("parts of words, volatile variables, unions, swaps, results through pointers") {
  check<bit_fields>("bit-fields");
  check<volatiles>("volatile");
  check<unions>("union");
  check<swapped>("std::swap");
  check<split>("sincosf");
}

// The trace is the source's: an access of the source is one access of the trace, made by the lanes that make it in the source. Each
// test case holds a row of docs/internals/trace.md: what g++ would do otherwise, and what is counted.
#include <doctest/doctest.h>

#include <cuda_runtime.h>

#include <optional>
#include <ostream>
#include <string>

#include "claims/device_array.h"
#include "claims/measurement.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

namespace {

constexpr int lanes = 32;

struct quad {
  float x, y, z, w;
};
struct alignas(16) with_tail {
  float4 a;
  int b;
};
struct alignas(16) array_of_four {
  float v[4];
};
struct two_vectors {
  float4 a, b;
};
struct vector_and_word {
  int2 a;
  int b;
};
struct four_bytes {
  char a, b, c, d;
};

__device__ int device_words[256];

/// Requests and lanes of one kind of access.
struct counted {
  std::uint64_t requests, lanes;
  friend bool operator==(const counted&, const counted&) = default;
};
std::ostream& operator<<(std::ostream& out, const counted& c) { return out << c.requests << " x " << c.lanes; }

/// What one warp does with `p`, with `a`, and with its shared variables.
class one_warp {
 public:
  template <class T, class Kernel>
  one_warp(T*, Kernel kernel) {
    device_array<T> p("p", 8 * lanes), a("a", 8 * lanes);
    seen_.emplace([&] {
      kernel(p.data(), a.data());
      static_cast<void>(cudaDeviceSynchronize());
    });
    if (cudaGetLastError() != cudaSuccess) stopped_ = true;
  }
  ~one_warp() {
    if (stopped_) cudaDeviceReset();
  }
  one_warp(const one_warp&) = delete;
  one_warp& operator=(const one_warp&) = delete;

  [[nodiscard]] counted stores() const { return of(memory_space::global, access::write, "p"); }
  [[nodiscard]] counted loads() const { return of(memory_space::global, access::read, "a"); }
  [[nodiscard]] counted own_loads() const { return of(memory_space::global, access::read, "p"); }
  [[nodiscard]] counted shared_stores() const { return of(memory_space::shared, access::write, ""); }
  [[nodiscard]] counted heap_stores() const { return of(memory_space::global, access::write, "the heap of kernels"); }
  [[nodiscard]] counted shared_loads() const { return of(memory_space::shared, access::read, ""); }
  [[nodiscard]] std::size_t misaligned() const { return seen_->findings(rule::misaligned).size(); }
  [[nodiscard]] std::size_t findings() const { return seen_->whole().findings.size(); }

 private:
  [[nodiscard]] counted of(memory_space space, access kind, const char* variable) const {
    const request_counters c = seen_->of(space, kind, variable);
    return {c.requests, c.lanes};
  }
  std::optional<measurement> seen_;
  bool stopped_ = false;
};

}  // namespace

/// What thread t of one warp does; `p` and `a` are arrays of `type`, `n` is 16 and unknown to the compiler.
#define KERNEL(name, type, ...)                                                                         \
  struct name {                                                                                         \
    using element = type;                                                                               \
    __device__ __forceinline__ static void body([[maybe_unused]] type* p, [[maybe_unused]] type* a,     \
                                                [[maybe_unused]] const int n, [[maybe_unused]] int t) { \
      __VA_ARGS__                                                                                       \
    }                                                                                                   \
  };

template <class Body>
__global__ void as_kernel(typename Body::element* p, typename Body::element* a, int n) {
  Body::body(p, a, n, threadIdx.x);
}

template <class Body>
one_warp run() {
  using element = typename Body::element;
  return one_warp((element*)nullptr, [](element* p, element* a) { as_kernel<Body><<<1, lanes>>>(p, a, lanes / 2); });
}

namespace {

KERNEL(zero_vector, float4, p[t] = make_float4(0, 0, 0, 0);)
KERNEL(empty_braces, float4, p[t] = {};)
KERNEL(two_numbers, int2, p[t] = make_int2(1, 2);)
KERNEL(braces, float4, p[t] = float4{1, 2, 3, 4};)
KERNEL(one_of_four, float4, p[t] = float4{1, 0, 0, 0};)
KERNEL(half_constant, float4, p[t] = float4{float(n), 0, 0, float(t)};)
KERNEL(from_loads, float4, p[t] = float4{a[t].x, 0, 0, a[t].y};)
KERNEL(bytes, uchar4, p[t] = uchar4{1, 2, 3, 4};)
KERNEL(shorts, short4, p[t] = make_short4(1, 2, 3, 4);)
KERNEL(doubles, double2, p[t] = double2{1, 2};)
KERNEL(words_of_four, quad, p[t] = (quad{1, 2, 3, 4});)
KERNEL(tail, with_tail, p[t] = (with_tail{{1, 2, 3, 4}, 5});)
KERNEL(member_array, array_of_four, p[t] = (array_of_four{{1, 2, 3, 4}});)
KERNEL(vectors, two_vectors, p[t] = (two_vectors{{1, 2, 3, 4}, {5, 6, 7, 8}});)
KERNEL(vector_then_word, vector_and_word, p[t] = (vector_and_word{{1, 2}, 3});)
KERNEL(shared_vector, float4, __shared__ float4 s[lanes]; s[t] = make_float4(1, 2, 3, 4); __syncthreads();
       p[t] = s[31 - t];)
KERNEL(shared_place, int2, __shared__ int2 s[4]; s[3] = make_int2(1, 2); __syncthreads(); p[t] = s[3];)
KERNEL(member_by_member, float4, p[t].x = 1; p[t].y = 2; p[t].z = 3; p[t].w = 4;)
KERNEL(member_in_loop, array_of_four, for (int k = 0; k < 2; ++k) p[t].v[k] = 1;)

}  // namespace

TEST_CASE("a structure of constants is stored as every other structure") {
  CHECK(run<zero_vector>().stores() == counted{1, 32});
  CHECK(run<empty_braces>().stores() == counted{1, 32});
  CHECK(run<two_numbers>().stores() == counted{1, 32});
  CHECK(run<braces>().stores() == counted{1, 32});
  CHECK(run<one_of_four>().stores() == counted{1, 32});
  CHECK(run<half_constant>().stores() == counted{1, 32});
  CHECK(run<from_loads>().stores() == counted{1, 32});
  CHECK(run<from_loads>().loads() == counted{2, 64});
  CHECK(run<bytes>().stores() == counted{1, 32});
  CHECK(run<shorts>().stores() == counted{1, 32});
  CHECK(run<doubles>().stores() == counted{1, 32});
  CHECK(run<words_of_four>().stores() == counted{4, 128});
  CHECK(run<tail>().stores() == counted{2, 64});
  CHECK(run<member_array>().stores() == counted{1, 32});
  CHECK(run<vectors>().stores() == counted{2, 64});
  CHECK(run<vector_then_word>().stores() == counted{2, 64});
  CHECK(run<shared_vector>().shared_stores() == counted{1, 32});
  CHECK(run<shared_place>().shared_stores() == counted{1, 32});
}

TEST_CASE("members that the source stores one by one are stored one by one") {
  CHECK(run<member_by_member>().stores() == counted{4, 128});
  CHECK(run<member_in_loop>().stores() == counted{2, 64});
}

namespace {

KERNEL(odd_pointer, int, *(int*)((char*)p + 1 + 4 * t) = 42;)
KERNEL(odd_shared, int, __shared__ int s[64]; *(int*)((char*)s + 1) = 42;)
KERNEL(odd_element, int, ((int*)((char*)device_words + 1))[t] = 42;)
KERNEL(odd_load, int, p[t] = *(int*)((char*)device_words + 2);)
KERNEL(odd_double, int, __shared__ double s[64]; *(double*)((char*)s + 4) = 42;)
KERNEL(odd_vector, int, __shared__ float s[64]; *(float4*)(s + 1) = make_float4(t, 1, 1, 1);)
KERNEL(odd_constants, int, __shared__ float s[64]; *(float4*)(s + 1) = make_float4(0, 0, 0, 0);)
KERNEL(odd_constants_by_pointer, float, *(float4*)(p + 1) = make_float4(0, 0, 0, 0);)
KERNEL(odd_copy, float4, p[t] = *(float4*)(device_words + 2);)
KERNEL(member_of_odd, int, p[t] = ((int4*)(device_words + 2))->y;)

}  // namespace

TEST_CASE("a misaligned access is one, also where g++ knows the address") {
  CHECK(run<odd_pointer>().misaligned() == 1);
  CHECK(run<odd_shared>().misaligned() == 1);
  CHECK(run<odd_shared>().shared_stores() == counted{1, 32});
  CHECK(run<odd_element>().misaligned() == 1);
  CHECK(run<odd_load>().misaligned() == 1);
  CHECK(run<odd_double>().misaligned() == 1);
  CHECK(run<odd_vector>().misaligned() == 1);
  CHECK(run<odd_constants>().misaligned() == 1);
  CHECK(run<odd_constants>().shared_stores() == counted{1, 32});
  CHECK(run<odd_constants_by_pointer>().misaligned() == 1);
  CHECK(run<odd_copy>().misaligned() == 1);
  CHECK(run<member_of_odd>().misaligned() == 0);
}

namespace {

KERNEL(store_again, float, p[t] = a[t]; if (t >= 2 * n) p[t] = -1;)
KERNEL(store_either, float, __shared__ float s[lanes]; if (t < n) s[t] = a[t]; else s[t] = 0; __syncthreads();
       p[t] = s[31 - t];)

}  // namespace

TEST_CASE("-fno-tree-cselim: a store in a branch is made by the lanes that go there") {
  CHECK(run<store_again>().stores() == counted{1, 32});
  CHECK(run<store_either>().shared_stores() == counted{2, 32});
}

namespace {

KERNEL(load_before_branch, float, const float x = a[t]; if (t < n) p[t] = x;)
KERNEL(store_in_both, float, if (t < n) p[t] = a[t]; else p[t] = a[t + 1];)

}  // namespace

namespace {

KERNEL(block_of_malloc, float, float* q = static_cast<float*>(malloc(16)); q[1] = a[t]; free(q);)

}  // namespace

TEST_CASE("-fno-allocation-dce: what malloc returns is stored to, though nobody reads it") {
  CHECK(run<block_of_malloc>().heap_stores() == counted{1, 32});
}

TEST_CASE("-fno-tree-sink: an access stays before the branch, a store in each") {
  CHECK(run<load_before_branch>().loads() == counted{1, 32});
  CHECK(run<load_before_branch>().stores() == counted{1, 16});
  CHECK(run<store_in_both>().stores() == counted{2, 32});
}

namespace {

KERNEL(chosen_address, float, __shared__ float s[lanes]; __shared__ float u[lanes]; s[t] = t; u[t] = t; __syncthreads();
       const float* q = t & 1 ? &s[3] : &u[5]; p[t] = *q;)

}  // namespace

TEST_CASE("-fno-tree-phiprop: a load through a pointer that is chosen first is one load") {
  CHECK(run<chosen_address>().shared_loads() == counted{1, 32});
}

namespace {

KERNEL(both_conditions, float, __shared__ float s[lanes]; s[t] = t; __syncthreads();
       if (s[t / 16] > 0 && s[5] > 0) p[t] = 1;)
KERNEL(both_fields, four_bytes, if (a[t].a == 0 && a[t].b == 1) p[t].c = 1;)

}  // namespace

TEST_CASE("--param=logical-op-non-short-circuit=0: what stands behind && is read by the lanes that get there") {
  CHECK(run<both_conditions>().shared_loads() == counted{2, 48});
  CHECK(run<both_fields>().loads() == counted{2, 64});
}

namespace {

KERNEL(accumulated, float, for (int i = 0; i < n; ++i) p[t] += i;)
KERNEL(same_each_time, float, float x = 0; for (int i = 0; i < n; ++i) x += a[0] * i; p[t] = x;)

}  // namespace

TEST_CASE(
    "-ftree-loop-im stays on: what is the same in every pass of a loop is read once, a sum is kept in a register") {
  CHECK(run<accumulated>().stores() == counted{1, 32});
  CHECK(run<accumulated>().own_loads() == counted{1, 32});
  CHECK(run<same_each_time>().loads() == counted{1, 32});
}

namespace {

KERNEL(
    short_loop, float, float x = 0; for (int i = 0; i < 2; ++i) {
      if (t < n && i == 0) continue;
      x += a[t + i];
    } p[t] = x;)

}  // namespace

TEST_CASE("--param=max-completely-peel-times=0: lanes that skip a pass are together again in the next") {
  CHECK(run<short_loop>().loads() == counted{2, 48});
}

namespace {

KERNEL(
    turns, float, int k = 0; while (true) {
      if (k == 32) break;
      if (k++ != t) continue;
      p[t] = k;
    })
__device__ __forceinline__ void take_turns(float* p, int t) {
  int k = 0;
again:
  if (k == 32) return;
  if (k++ != t) goto again;
  p[t] = k;
  goto again;
}
KERNEL(turns_by_goto, float, take_turns(p, t);)
KERNEL(
    if_at_the_end, float, float sum = 0; int k = -1; while (true) {
      if (++k == 4) break;
      if ((t + k) % 2) sum += a[t + k];
    } p[t] = sum;)

}  // namespace

TEST_CASE(
    "between two passes of a loop lanes come together: a lane that goes on passes none that is still in the body") {
  CHECK(run<turns>().stores() == counted{32, 32});
  CHECK(run<turns_by_goto>().stores() == counted{32, 32});
  CHECK(run<if_at_the_end>().loads() == counted{4, 64});
}

namespace {

KERNEL(one_member, float4, const float4 v = a[t]; p[t].x = v.y;)
KERNEL(all_members, float4, const float4 v = a[t]; p[t].x = v.x + v.y + v.z + v.w;)
KERNEL(changed_member, float4, float4 v = a[t]; v.y += 1; p[t] = v;)

}  // namespace

TEST_CASE("-fno-tree-sra: a structure that is read is read at once, however much of it is used") {
  CHECK(run<one_member>().loads() == counted{1, 32});
  CHECK(run<all_members>().loads() == counted{1, 32});
  CHECK(run<changed_member>().loads() == counted{1, 32});
  CHECK(run<changed_member>().stores() == counted{1, 32});
}

namespace {

KERNEL(
    equal_ends, float,
    if (t < n) {
      p[t] = a[t];
      a[t] = 1;
    } else {
      p[t] = a[t + 1];
      a[t] = 1;
    })
KERNEL(same_condition, float, if (t < n) p[t] = 1; a[t] = 2; if (t < n) p[t + 32] = 3;)
KERNEL(chain, int, if (a[t] == 0) p[t] = 5; else if (a[t] == 1) p[t] = 7; else if (a[t] == 2) p[t] = 9; else p[t] = 1;)

}  // namespace

TEST_CASE("-fno-crossjumping, -fno-tree-tail-merge, -fno-thread-jumps: branches keep their own accesses") {
  CHECK(run<equal_ends>().stores() == counted{2, 32});
  CHECK(run<same_condition>().stores() == counted{2, 32});
  CHECK(run<chain>().stores() == counted{1, 32});
}

namespace {

KERNEL(neighbours, float, __shared__ float s[2 * lanes]; s[2 * t] = t; s[2 * t + 1] = t; __syncthreads();
       p[t] = s[2 * t] + s[2 * t + 1];)
KERNEL(four_chars, char, p[4 * t] = 1; p[4 * t + 1] = 2; p[4 * t + 2] = 3; p[4 * t + 3] = 4;)

}  // namespace

TEST_CASE("-fno-store-merging, -fno-tree-slp-vectorize: neighbours stay apart") {
  CHECK(run<neighbours>().shared_stores() == counted{2, 64});
  CHECK(run<neighbours>().shared_loads() == counted{2, 64});
  CHECK(run<four_chars>().stores() == counted{4, 128});
}

namespace {

KERNEL(twice_the_same, int, p[t] = a[t] + a[t];)
KERNEL(overwritten, int, p[t] = 1; p[t] = 2;)
KERNEL(unused, int, [[maybe_unused]] const int x = a[t]; p[t] = 1;)

}  // namespace

TEST_CASE(
    "-ftree-fre, -ftree-dse, -ftree-dce stay on: what a thread has in a register is not read again, nor stored twice") {
  CHECK(run<twice_the_same>().loads() == counted{1, 32});
  CHECK(run<overwritten>().stores() == counted{1, 32});
  CHECK(run<unused>().loads() == counted{0, 0});
}

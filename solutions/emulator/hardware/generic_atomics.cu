// Atomic operations on addresses of any space (ATOM of machine code, what nvcc -Xcicc -O1 -Xptxas -O1 makes of atomicAdd and its like in a
// function): in shared memory, in global memory, and half of the lanes in each; by one warp, and by several warps of a block. Prints the
// launches' names in their order; what an H200 counted is solutions/measured/generic-atomics-h200.csv.
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using u32 = std::uint32_t;
using u64 = unsigned long long;

constexpr int words = 1024, words_of_warp = 128, bins = 256;
enum : int { in_shared, in_global, in_both };
enum : int { linear, broadcast, pairs, four_words_of_a_bank, two_words, two_words_of_a_bank, random_below_64 };

__device__ u32 mixed(u32 lane, u32 seed) {
  u32 x = lane * 0x9E3779B1U + seed * 0x85EBCA77U;
  x ^= x >> 15;
  x *= 0x2C1B3C6DU;
  return x ^ x >> 12;
}

__device__ u32 place(int pattern, u32 lane) {
  switch (pattern) {
    case linear:
      return lane;
    case broadcast:
      return 0;
    case pairs:
      return lane / 2;
    case four_words_of_a_bank:
      return lane % 4 * 32;
    case two_words:
      return lane % 2;
    case two_words_of_a_bank:
      return lane / 2 + lane % 2 * 32;
    default:
      return mixed(lane, static_cast<u32>(pattern)) % 64;
  }
}

#define OPERATION(NAME, T, CALL)                                                  \
  __device__ __noinline__ void do_##NAME(T* p, T v) { CALL; }                     \
  __global__ void NAME(T* out, int where, int pattern, int rounds, bool apart) {  \
    __shared__ T here[words];                                                     \
    for (int i = threadIdx.x; i < words; i += blockDim.x) here[i] = T(0);         \
    __syncthreads();                                                              \
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;                   \
    T* base = where == in_shared || (where == in_both && lane < 16) ? here : out; \
    T* p = base + (apart ? warp * words_of_warp : 0) + place(pattern, lane);      \
    for (int r = 0; r < rounds; ++r) do_##NAME(p, T(lane + 1));                   \
    __syncthreads();                                                              \
    if (where != in_global && blockIdx.x == 0)                                    \
      for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = here[i];     \
  }
OPERATION(add_u32, u32, atomicAdd(p, v))
OPERATION(max_s32, int, atomicMax(p, v))
OPERATION(inc_u32, u32, atomicInc(p, 2000U))
OPERATION(or_u32, u32, atomicOr(p, v))
OPERATION(exch_u32, u32, atomicExch(p, v))
OPERATION(cas_u32, u32, atomicCAS(p, 0U, v))
OPERATION(add_f32, float, atomicAdd(p, v))
OPERATION(add_u64, u64, atomicAdd(p, v))
OPERATION(add_f64, double, atomicAdd(p, v))
OPERATION(max_u64, u64, atomicMax(p, v))
OPERATION(or_u64, u64, atomicOr(p, v))
OPERATION(exch_u64, u64, atomicExch(p, v))
OPERATION(cas_u64, u64, atomicCAS(p, u64(0), v))

__device__ __noinline__ u32 add_and_look(u32* p, u32 v) { return atomicAdd(p, v); }

// As a histogram: counts what it reads, in a part of each warp's own or in one for all.
__global__ void counts(u32* out, const u32* in, int rounds, bool apart, u32 mask) {
  __shared__ u32 here[8 * bins];
  for (int i = threadIdx.x; i < 8 * bins; i += blockDim.x) here[i] = 0;
  __syncthreads();
  for (int r = 0; r < rounds; ++r)
    add_and_look(&here[(apart ? threadIdx.x / 32 * bins : 0) + (in[r * blockDim.x + threadIdx.x] & mask)], 1);
  __syncthreads();
  if (threadIdx.x < bins) add_and_look(&out[threadIdx.x], here[threadIdx.x]);
}

template <class T>
void run(const char* name, void (*kernel)(T*, int, int, int, bool), int where, int pattern, int rounds = 1,
         bool apart = false, int warps = 1, int blocks = 1) {
  T* out = nullptr;
  cudaMalloc(&out, words * sizeof(T));
  cudaMemset(out, 0, words * sizeof(T));
  kernel<<<blocks, 32 * warps>>>(out, where, pattern, rounds, apart);
  cudaDeviceSynchronize();
  cudaFree(out);
  std::printf("%s where%d pattern%d rounds%d apart%d warps%d blocks%d\n", name, where, pattern, rounds, apart, warps,
              blocks);
}

template <class T>
void run_shapes(const char* name, void (*kernel)(T*, int, int, int, bool)) {
  for (const int where : {in_shared, in_global, in_both})
    for (int pattern = linear; pattern <= random_below_64 + 1; ++pattern)
      if (where == in_shared || pattern == linear || pattern == broadcast || pattern == two_words ||
          pattern == random_below_64)
        run(name, kernel, where, pattern);
}

#define SHAPES(NAME) run_shapes(#NAME, NAME)
#define RUN(NAME, ...) run(#NAME, NAME, __VA_ARGS__)

}  // namespace

int main() {
  SHAPES(add_u32);
  SHAPES(max_s32);
  SHAPES(exch_u32);
  SHAPES(cas_u32);
  SHAPES(add_f32);
  SHAPES(add_u64);
  SHAPES(add_f64);
  SHAPES(max_u64);
  SHAPES(or_u64);
  SHAPES(exch_u64);
  SHAPES(cas_u64);
  RUN(inc_u32, in_shared, two_words);
  RUN(or_u32, in_shared, two_words);
  for (int again = 0; again < 2; ++again) {
    RUN(add_u32, in_shared, linear, 64);
    RUN(add_u32, in_shared, broadcast, 64);
    RUN(add_u32, in_shared, linear, 64, false, 1, 8);
    RUN(cas_u32, in_shared, linear, 64);
    RUN(cas_u32, in_shared, broadcast, 64);
    RUN(add_f32, in_shared, linear, 64);
  }
  for (int again = 0; again < 3; ++again)
    for (const int warps : {2, 4, 8})
      for (const bool apart : {true, false})
        for (const int pattern : {linear, broadcast, random_below_64})
          RUN(add_u32, in_shared, pattern, 64, apart, warps);
  for (int again = 0; again < 2; ++again)
    for (const bool apart : {true, false})
      for (const int pattern : {linear, broadcast}) {
        RUN(cas_u32, in_shared, pattern, 64, apart, 4);
        RUN(add_f32, in_shared, pattern, 8, apart, 4);
        RUN(add_u64, in_shared, pattern, 8, apart, 4);
        RUN(add_u32, in_global, pattern, 64, apart, 4);
      }
  constexpr int rounds = 32;
  std::vector<u32> h(8 * 32 * rounds);
  for (u32 i = 0; i < h.size(); ++i) h[i] = i * 2654435761U >> 13;
  u32 *in = nullptr, *out = nullptr;
  cudaMalloc(&in, h.size() * sizeof(u32));
  cudaMalloc(&out, bins * sizeof(u32));
  cudaMemset(out, 0, bins * sizeof(u32));
  cudaMemcpy(in, h.data(), h.size() * sizeof(u32), cudaMemcpyHostToDevice);
  for (int again = 0; again < 2; ++again)
    for (const int warps : {1, 2, 8})
      for (const bool apart : {true, false})
        for (const u32 mask : {255U, 31U, 0U}) {
          counts<<<1, 32 * warps>>>(out, in, rounds, apart, mask);
          std::printf("counts mask%u apart%d warps%d\n", mask, apart, warps);
        }
  cudaFree(in);
  cudaFree(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

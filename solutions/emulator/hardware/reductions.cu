// Atomic operations on global memory by one warp whose lanes meet at words, sectors and lines (nvcc's default flags): which sectors a GPU
// counts. Prints the launches' names in their order; what an H200 counted is solutions/measured/reductions-h200.csv.
#include <cstdint>
#include <cstdio>

namespace {

using u32 = std::uint32_t;
using u64 = unsigned long long;

constexpr int words_of_results = 2048;

/// A number of the lane and the seed.
__device__ u32 mixed(u32 lane, u32 seed) {
  u32 x = lane * 0x9E3779B1U + seed * 0x85EBCA77U;
  x ^= x >> 15;
  x *= 0x2C1B3C6DU;
  return x ^ x >> 12;
}

#define REDUCTION(NAME, T, CALL)                     \
  __global__ void NAME(T* to, u32 seed, u32 words) { \
    T* p = to + mixed(threadIdx.x, seed) % words;    \
    const T v = T(threadIdx.x + 1);                  \
    CALL;                                            \
  }
REDUCTION(red, u32, atomicAdd(p, v))
REDUCTION(red_min, u32, atomicMin(p, v))
REDUCTION(red_u64, u64, atomicAdd(p, v))
REDUCTION(red_f32, float, atomicAdd(p, v))
REDUCTION(atom, u32, to[words_of_results + threadIdx.x] = atomicAdd(p, v))
REDUCTION(cas, u32, to[words_of_results + threadIdx.x] = atomicCAS(p, 0U, v))

/// A word in each sector.
__global__ void red_spread(u32* to, u32 seed, u32 words) {
  atomicAdd(to + mixed(threadIdx.x, seed) % words * 8, threadIdx.x + 1);
}

/// The lanes' words by two tables of four bits each.
__global__ void red_table(u32* to, u64 low, u64 high) {
  const u64 table = threadIdx.x < 16 ? low : high;
  atomicAdd(to + (table >> threadIdx.x % 16 * 4 & 15), threadIdx.x + 1);
}

#define RUN(NAME, T)                                     \
  NAME<<<1, 32>>>(static_cast<T*>(memory), seed, words); \
  std::printf(#NAME " seed%u words%u\n", seed, words);

}  // namespace

int main() {
  void* memory = nullptr;
  cudaMalloc(&memory, 65536);
  cudaMemset(memory, 0, 65536);
  for (const u32 words : {2U, 4U, 8U, 9U, 10U, 12U, 16U, 24U, 32U, 64U, 128U, 256U})
    for (u32 seed = 1; seed <= 8; ++seed) {
      RUN(red, u32)
    }
  for (const u32 words : {2U, 4U, 8U, 16U, 32U})
    for (u32 seed = 1; seed <= 4; ++seed) {
      RUN(red_spread, u32)
    }
  for (const u32 words : {8U, 16U, 64U})
    for (u32 seed = 1; seed <= 3; ++seed) {
      RUN(red_min, u32)
      RUN(atom, u32)
      RUN(red_u64, u64)
      RUN(red_f32, float)
      RUN(cas, u32)
    }
  const u64 tables[][2] = {{0x0000000000000000, 0},
                           {0x1010101010101010, 0x1010101010101010},
                           {0x1111111111111111, 0},
                           {0x0, 0x1111111100000000},
                           {0x7654321076543210, 0x7654321076543210},
                           {0x7654321000000000, 0},
                           {0x0000000000000000, 0x7654321076543210},
                           {0x8080808080808080, 0x8080808080808080},
                           {0x1100110011001100, 0x1100110011001100},
                           {0x3322110033221100, 0x3322110033221100},
                           {0x0123456789abcdef, 0xfedcba9876543210},
                           {0x0011223344556677, 0x8899aabbccddeeff}};
  for (const auto& table : tables) {
    red_table<<<1, 32>>>(static_cast<u32*>(memory), table[0], table[1]);
    std::printf("red_table %llx %llx\n", table[0], table[1]);
  }
  cudaFree(memory);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}

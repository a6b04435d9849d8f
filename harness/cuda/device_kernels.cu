#include "cuda/device_kernels.h"

#include <cuda_runtime.h>

#include "runner/cuda_check.h"
#include "timing/fresh_values.h"

namespace simtlab {
namespace {

constexpr int block = 256;
constexpr unsigned most_blocks = 1U << 16;

// Grid-stride kernels: any number of blocks is right.
unsigned blocks_for(std::size_t threads) {
  const std::size_t blocks = (threads + block - 1) / block;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks > most_blocks ? most_blocks : blocks);
}

__device__ std::size_t first_index() { return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ std::size_t stride() { return static_cast<std::size_t>(gridDim.x) * blockDim.x; }

__global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

template <class Word>
__global__ void mix_words(Word* to, const Word* first, const Word* second, std::size_t elements,
                          std::size_t words_per_element, std::uint64_t key, std::uint64_t argument) {
  for (std::size_t i = first_index(); i < elements * words_per_element; i += stride())
    to[i] = takes_second(key, argument, i / words_per_element) ? second[i] : first[i];
}

template <class Word>
void launch_mix(void* to, const void* first, const void* second, std::size_t elements, std::size_t element_bytes,
                std::uint64_t key, std::uint64_t argument) {
  mix_words<<<blocks_for(elements * element_bytes / sizeof(Word)), block>>>(
      static_cast<Word*>(to), static_cast<const Word*>(first), static_cast<const Word*>(second), elements,
      element_bytes / sizeof(Word), key, argument);
}

__device__ std::uint64_t hashed(std::uint64_t key, std::size_t index) {
  std::uint64_t z = key + (index + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

__global__ void fill_floats(float* to, std::size_t elements, std::uint64_t key) {
  for (std::size_t i = first_index(); i < elements; i += stride())
    to[i] = static_cast<float>(hashed(key, i) >> 40) * 0x1p-23f - 1.0f;
}

template <class Integer>
__global__ void fill_integers(Integer* to, std::size_t elements, std::uint64_t bound, std::uint64_t key) {
  for (std::size_t i = first_index(); i < elements; i += stride())
    to[i] = static_cast<Integer>((hashed(key, i) >> 32) * bound >> 32);
}

__global__ void copy_quads(int4* to, const int4* from, std::size_t quads) {
  for (std::size_t i = first_index(); i < quads; i += stride()) to[i] = from[i];
}

// Only a value that no memory of ours holds is ever stored.
__global__ void read_quads(const int4* from, std::size_t quads, int* sink) {
  int sum = 0;
  for (std::size_t i = first_index(); i < quads; i += stride()) {
    const int4 q = from[i];
    sum ^= q.x ^ q.y ^ q.z ^ q.w;
  }
  if (sum == 0x5eed5eed) *sink = sum;
}

__global__ void write_quads(int4* to, std::size_t quads, int value) {
  for (std::size_t i = first_index(); i < quads; i += stride()) to[i] = make_int4(value, value, value, value);
}

constexpr int chains = 8;  // enough independent sums to hide the latency of one multiply-add

__global__ void multiply_add(int rounds, float* sink) {
  const float factor = 1.0f + 1e-7f * static_cast<float>(threadIdx.x);
  float sums[chains];
  for (int c = 0; c < chains; ++c) sums[c] = static_cast<float>(c);
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int i = 0; i < 64 / chains; ++i) {
#pragma unroll
      for (float& sum : sums) sum = fmaf(sum, factor, 1e-3f);
    }
  }
  float all = 0;
  for (const float sum : sums) all += sum;
  if (all == -1.0f) *sink = all;
}

}  // namespace

void mix_on_device(void* to, const void* first, const void* second, std::size_t elements, std::size_t element_bytes,
                   std::uint64_t key, std::uint64_t argument) {
  if (elements == 0) return;
  const auto launch = element_bytes % 4 == 0   ? launch_mix<std::uint32_t>
                      : element_bytes % 2 == 0 ? launch_mix<std::uint16_t>
                                               : launch_mix<std::uint8_t>;
  launch(to, first, second, elements, element_bytes, key, argument);
  SIMTLAB_CHECKED(cudaGetLastError());
}

void fill_with_floats(void* to, std::size_t elements, std::uint64_t key) {
  fill_floats<<<blocks_for(elements), block>>>(static_cast<float*>(to), elements, key);
  SIMTLAB_CHECKED(cudaGetLastError());
}

void fill_with_integers(void* to, std::size_t elements, std::size_t element_bytes, std::uint64_t bound,
                        std::uint64_t key) {
  const unsigned blocks = blocks_for(elements);
  if (element_bytes == 1)
    fill_integers<<<blocks, block>>>(static_cast<std::uint8_t*>(to), elements, bound, key);
  else if (element_bytes == 8)
    fill_integers<<<blocks, block>>>(static_cast<std::uint64_t*>(to), elements, bound, key);
  else
    fill_integers<<<blocks, block>>>(static_cast<std::uint32_t*>(to), elements, bound, key);
  SIMTLAB_CHECKED(cudaGetLastError());
}

void copy_on_device(void* to, const void* from, std::size_t bytes) {
  copy_quads<<<blocks_for(bytes / 16), block>>>(static_cast<int4*>(to), static_cast<const int4*>(from), bytes / 16);
  SIMTLAB_CHECKED(cudaGetLastError());
}

void read_on_device(const void* from, std::size_t bytes, void* sink) {
  read_quads<<<blocks_for(bytes / 64), block>>>(static_cast<const int4*>(from), bytes / 16, static_cast<int*>(sink));
  SIMTLAB_CHECKED(cudaGetLastError());
}

void write_on_device(void* to, std::size_t bytes, int value) {
  write_quads<<<blocks_for(bytes / 16), block>>>(static_cast<int4*>(to), bytes / 16, value);
  SIMTLAB_CHECKED(cudaGetLastError());
}

void multiply_add_on_device(std::size_t threads, int rounds, void* sink) {
  multiply_add<<<blocks_for(threads), block>>>(rounds, static_cast<float*>(sink));
  SIMTLAB_CHECKED(cudaGetLastError());
}

void spin_on_device(unsigned blocks, unsigned threads, long long cycles) {
  spin<<<blocks, threads>>>(cycles);
  SIMTLAB_CHECKED(cudaGetLastError());
}

}  // namespace simtlab

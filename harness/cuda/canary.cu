// simtlab-canary: three kernels whose times say whether a GPU still is what it was: a copy (the memory's clock), reads of
// shared memory and multiply-adds (the cores' clock). A grading runs it before and after each chunk of a class
// (grading/simtlab/device/canary.py); what was timed while it drifted is not believed.
//
//   simtlab-canary [ROUNDS]     prints one JSON document: milliseconds of each kernel, a value per round
#include <cuda_runtime.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int default_rounds = 99;
constexpr int most_rounds = 10000;
constexpr std::chrono::milliseconds warm_up{500};   // clocks rise with the first launches
constexpr size_t copied_bytes = size_t{256} << 20;  // several times the L2 of every GPU until now
constexpr int threads = 256;
constexpr int tile_words = 1024;
constexpr int shared_steps = 8192;
constexpr int arithmetic_steps = 4096;

void require(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "simtlab-canary: %s: %s\n", call, cudaGetErrorString(status));
  std::exit(EXIT_FAILURE);
}

#define REQUIRE(call) require(call, #call)

__global__ void copy(const float4* __restrict__ from, float4* __restrict__ to, size_t count) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x)
    to[i] = from[i];
}

// Each lane follows two chains through the tile; the lanes of a warp stay in 32 different banks.
__global__ void shared(unsigned* out) {
  __shared__ unsigned tile[tile_words];
  for (unsigned part = 0; part < tile_words; part += threads)
    tile[part + threadIdx.x] = (part + threadIdx.x + 7 * 32) % tile_words;
  __syncthreads();
  unsigned one = threadIdx.x, other = threadIdx.x + tile_words / 2;
  for (int step = 0; step < shared_steps; ++step) {
    one = tile[one];
    other = tile[other];
  }
  if (one + other == 0xffffffff) *out = one;  // never: it keeps the chains
}

__global__ void fp32(float* out, float factor) {
  float sums[8];
  for (int i = 0; i < 8; ++i) sums[i] = threadIdx.x + i;
  for (int step = 0; step < arithmetic_steps; ++step) {
#pragma unroll
    for (int i = 0; i < 8; ++i) sums[i] = fmaf(sums[i], factor, 0.5F);
  }
  float sum = 0;
  for (const float one : sums) sum += one;
  if (sum == -1) *out = sum;  // never: it keeps the sums
}

struct canary {
  float4 *from = nullptr, *to = nullptr;
  int multiprocessors = 0, shared_blocks = 0, arithmetic_blocks = 0;
  cudaEvent_t begin = nullptr, end = nullptr;

  canary() {
    int device = 0;
    REQUIRE(cudaGetDevice(&device));
    REQUIRE(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&shared_blocks, shared, threads, 0));
    REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&arithmetic_blocks, fp32, threads, 0));
    REQUIRE(cudaMalloc(&from, copied_bytes));
    REQUIRE(cudaMalloc(&to, copied_bytes));
    REQUIRE(cudaMemset(from, 1, copied_bytes));
    REQUIRE(cudaEventCreate(&begin));
    REQUIRE(cudaEventCreate(&end));
  }

  // One launch of each kernel, in turn, so that a slow moment hits all of them.
  std::array<float, 3> round() const {
    std::array<float, 3> milliseconds{};
    for (int kernel = 0; kernel < 3; ++kernel) {
      REQUIRE(cudaEventRecord(begin));
      if (kernel == 0) copy<<<multiprocessors * 8, threads>>>(from, to, copied_bytes / sizeof(float4));
      if (kernel == 1) shared<<<multiprocessors * shared_blocks, threads>>>(reinterpret_cast<unsigned*>(to));
      if (kernel == 2) fp32<<<multiprocessors * arithmetic_blocks, threads>>>(reinterpret_cast<float*>(to), 0.5F);
      REQUIRE(cudaEventRecord(end));
      REQUIRE(cudaGetLastError());
      REQUIRE(cudaEventSynchronize(end));
      REQUIRE(cudaEventElapsedTime(&milliseconds[kernel], begin, end));
    }
    return milliseconds;
  }
};

}  // namespace

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : default_rounds;
  if (count > 2 || rounds < 1 || rounds > most_rounds) {
    std::fprintf(stderr, "simtlab-canary [ROUNDS]: expected 1 to %d rounds\n", most_rounds);
    return 2;
  }
  const canary device;
  const auto warm = std::chrono::steady_clock::now() + warm_up;
  while (std::chrono::steady_clock::now() < warm) static_cast<void>(device.round());
  std::vector<std::array<float, 3>> found;
  for (int i = 0; i < rounds; ++i) found.push_back(device.round());
  const std::array<const char*, 3> names{"copy", "shared", "fp32"};
  std::printf("{\"format\": \"simtlab-canary\", \"version\": 1, \"milliseconds\": {");
  for (int kernel = 0; kernel < 3; ++kernel) {
    std::printf("%s\"%s\": [", kernel ? ", " : "", names[kernel]);
    for (int i = 0; i < rounds; ++i) std::printf("%s%.6f", i ? ", " : "", found[i][kernel]);
    std::printf("]");
  }
  std::printf("}}\n");
  return 0;
}

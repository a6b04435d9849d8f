// What cudaOccupancyMaxActiveBlocksPerMultiprocessor says, as CSV: kernels of many registers, with blocks of many sizes and
// amounts of shared memory. `python -m hardware.occupancy_measure FILE` runs it on a GPU.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace {

#define CHECK(call)                                                        \
  do {                                                                     \
    const cudaError_t status = (call);                                     \
    if (status != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (0)

// Holds `live` values at a time, and has `words` of static shared memory.
template <int live, int words>
__global__ void holds(const float* in, float* out, int pitch) {
  __shared__ float own[words];
  float values[live];
#pragma unroll
  for (int i = 0; i < live; ++i) values[i] = in[i * pitch + threadIdx.x];
  own[threadIdx.x % words] = values[0];
  __syncthreads();
  float sum = own[0];
#pragma unroll
  for (int i = 0; i < live; ++i) sum = sum * values[live - 1 - i] + values[i];
  out[threadIdx.x] = sum;
}

constexpr int sizes[] = {1, 31, 32, 33, 64, 96, 100, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024};
constexpr int dynamic_bytes[] = {0,     1,     1000,  4096,  8192,  15000,  16384,  20000,
                                 32768, 48000, 65536, 75000, 99328, 115000, 166912, 225000};

template <int live, int words>
void ask() {
  const auto kernel = holds<live, words>;
  cudaFuncAttributes attributes{};
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  int device = 0, most = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const int most_dynamic = most - static_cast<int>(attributes.sharedSizeBytes);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most_dynamic));
  for (const int threads : sizes)
    for (const int bytes : dynamic_bytes) {
      if (bytes > most_dynamic) continue;
      int blocks = 0;
      CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes));
      std::printf("%d,%zu,%d,%d,%d\n", attributes.numRegs, attributes.sharedSizeBytes, threads, bytes, blocks);
    }
}

}  // namespace

int main() {
  cudaDeviceProp gpu{};
  CHECK(cudaGetDeviceProperties(&gpu, 0));
  std::printf("# %s, compute capability %d.%d\n", gpu.name, gpu.major, gpu.minor);
  std::printf("registers,static_shared,threads,dynamic_shared,blocks\n");
  ask<1, 1>();
  ask<24, 1>();
  ask<40, 1024>();
  ask<64, 1>();
  ask<100, 2048>();
  ask<200, 1>();
  return 0;
}

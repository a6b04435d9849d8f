// Kernels of courses, each launched twice. Prints the processor time of the second launch, and how many machine instructions its lanes
// executed, which only code of nvcc has (simtcc --engine sass).
//   typical_kernels KERNEL [counters] [checks]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

#include "emulator.h"

namespace {

constexpr int tile_width = 16, bins = 256, elements = 1 << 20, width = 1024, matrix_width = 256;

__global__ void vector_add(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) c[i] = a[i] + b[i];
}

__global__ void reduction(const float* a, float* sums) {
  __shared__ float partial[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x) sum += a[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

__global__ void histogram(const float* a, float* counts) {
  __shared__ unsigned own[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x)
    atomicAdd(&own[static_cast<unsigned>(a[i]) % bins], 1U);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) atomicAdd(&counts[i], static_cast<float>(own[i]));
}

__global__ void stencil(const float* from, float* to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= width - 1 || y >= width - 1) return;
  const float* const at = from + y * width + x;
  to[y * width + x] = 0.5F * at[0] + 0.125F * (at[-1] + at[1] + at[-width] + at[width]);
}

__global__ void tiled_product(const float* a, const float* b, float* c) {
  __shared__ float tile_a[tile_width][tile_width];
  __shared__ float tile_b[tile_width][tile_width];
  const int row = blockIdx.y * tile_width + threadIdx.y, column = blockIdx.x * tile_width + threadIdx.x;
  float sum = 0;
  for (int phase = 0; phase < matrix_width / tile_width; ++phase) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * matrix_width + phase * tile_width + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(phase * tile_width + threadIdx.y) * matrix_width + column];
    __syncthreads();
    for (int k = 0; k < tile_width; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * matrix_width + column] = sum;
}

/// Two arrays that kernels read, and one that they write.
struct arrays {
  float *a = nullptr, *b = nullptr, *c = nullptr;
  arrays() {
    std::vector<float> values(elements);
    unsigned drawn = 1;
    for (float& v : values) v = static_cast<float>((drawn = drawn * 1664525U + 1013904223U) >> 16);
    for (float** m : {&a, &b, &c}) cudaMalloc(m, sizeof(float) * elements);
    for (float* m : {a, b}) cudaMemcpy(m, values.data(), sizeof(float) * elements, cudaMemcpyHostToDevice);
    cudaMemset(c, 0, sizeof(float) * elements);
  }
  arrays(const arrays&) = delete;  // owns device memory
  arrays& operator=(const arrays&) = delete;
  ~arrays() {
    for (float* m : {a, b, c}) cudaFree(m);
  }
};

struct named_kernel {
  const char* name;
  void (*launch)(const arrays&);
};

constexpr named_kernel kernels[] = {
    {"vector_add", [](const arrays& m) { vector_add<<<elements / 256, 256>>>(m.a, m.b, m.c); }},
    {"reduction", [](const arrays& m) { reduction<<<128, 256>>>(m.a, m.c); }},
    {"histogram", [](const arrays& m) { histogram<<<128, 256>>>(m.a, m.c); }},
    {"stencil", [](const arrays& m) { stencil<<<dim3(width / 32, width / 8), dim3(32, 8)>>>(m.a, m.c); }},
    {"tiled_product",
     [](const arrays& m) {
       constexpr unsigned blocks = matrix_width / tile_width;
       tiled_product<<<dim3(blocks, blocks), dim3(tile_width, tile_width)>>>(m.a, m.b, m.c);
     }},
};

}  // namespace

int main(int words, char** word) {
  using namespace simtlab::emulator;
  const named_kernel* chosen = nullptr;
  for (const named_kernel& k : kernels)
    if (words > 1 && std::strcmp(word[1], k.name) == 0) chosen = &k;
  if (chosen == nullptr) {
    std::fprintf(stderr, "usage: typical_kernels KERNEL [counters] [checks], KERNEL one of:\n");
    for (const named_kernel& k : kernels) std::fprintf(stderr, "  %s\n", k.name);
    return 2;
  }
  options wanted;
  wanted.counters = wanted.checks = false;
  for (int i = 2; i < words; ++i) {
    wanted.counters |= std::strcmp(word[i], "counters") == 0;
    wanted.checks |= std::strcmp(word[i], "checks") == 0;
  }
  const arrays m;
  options counting = wanted;
  counting.counters = true;
  configure(counting);
  chosen->launch(m);  // touches every page once, and counts
  const report counted = take_report();
  configure(wanted);
  const std::clock_t begin = std::clock();
  chosen->launch(m);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (cudaDeviceSynchronize() != cudaSuccess || counted.launches.size() != 1 || !counted.findings.empty()) {
    std::fprintf(stderr, "the launch failed, or the kernel is not right\n");
    return 1;
  }
  std::printf("%.6f %llu\n", seconds, static_cast<unsigned long long>(counted.launches[0].lane_instructions));
  return 0;
}

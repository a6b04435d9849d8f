// The tiled product of two 256 x 256 matrices on one worker. Prints the seconds of one launch, the second of two.
//   tiled_product [counters] [checks]
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "emulator.h"

namespace {

constexpr int tile_width = 16;
constexpr int size = 256;

__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float tile_a[tile_width][tile_width];
  __shared__ float tile_b[tile_width][tile_width];
  const int row = blockIdx.y * tile_width + threadIdx.y, column = blockIdx.x * tile_width + threadIdx.x;
  float sum = 0;
  for (int phase = 0; phase < size / tile_width; ++phase) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * size + phase * tile_width + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(phase * tile_width + threadIdx.y) * size + column];
    __syncthreads();
    for (int k = 0; k < tile_width; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * size + column] = sum;
}

class matrices {
 public:
  matrices() {
    for (float** m : {&a_, &b_, &c_}) cudaMalloc(m, bytes);
    const std::vector<float> ones(std::size_t{size} * size, 1.0f);
    cudaMemcpy(a_, ones.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b_, ones.data(), bytes, cudaMemcpyHostToDevice);
  }
  matrices(const matrices&) = delete;  // owns device memory
  matrices& operator=(const matrices&) = delete;
  ~matrices() {
    for (float* m : {a_, b_, c_}) cudaFree(m);
  }

  /// Seconds of one launch; a negative number when the product is wrong or the launch failed.
  double seconds_of_product() {
    const auto begin = std::chrono::steady_clock::now();
    product<<<dim3(size / tile_width, size / tile_width), dim3(tile_width, tile_width)>>>(a_, b_, c_);
    const cudaError_t status = cudaDeviceSynchronize();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::vector<float> c(std::size_t{size} * size);
    cudaMemcpy(c.data(), c_, bytes, cudaMemcpyDeviceToHost);
    for (const float element : c)
      if (element != float(size)) return -1;
    return status == cudaSuccess ? seconds : -1;
  }

 private:
  static constexpr std::size_t bytes = sizeof(float) * size * size;
  float *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
};

}  // namespace

int main(int words, char** word) {
  simtlab::emulator::options options;
  options.counters = options.checks = false;
  for (int i = 1; i < words; ++i) {
    options.counters |= std::strcmp(word[i], "counters") == 0;
    options.checks |= std::strcmp(word[i], "checks") == 0;
  }
  simtlab::emulator::configure(options);
  matrices m;
  m.seconds_of_product();  // touches every page once
  const double seconds = m.seconds_of_product();
  if (seconds < 0) {
    std::fprintf(stderr, "the product came out wrong\n");
    return 1;
  }
  std::printf("%.6f\n", seconds);
}

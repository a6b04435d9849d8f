// The tiled product of two square matrices. Prints the seconds of wall and of processor time that one launch takes, the second of two.
//   tiled_product SIZE WORKERS [counters] [checks]
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "emulator.h"

namespace {

constexpr int tile_width = 16;

__global__ void product(const float* a, const float* b, float* c, int size) {
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

struct seconds {
  double wall = 0, processor = 0;
};

class matrices {
 public:
  explicit matrices(int size) : size_(size), elements_(static_cast<std::size_t>(size) * size) {
    for (float** m : {&a_, &b_, &c_}) cudaMalloc(m, bytes());
    const std::vector<float> ones(elements_, 1.0f);
    cudaMemcpy(a_, ones.data(), bytes(), cudaMemcpyHostToDevice);
    cudaMemcpy(b_, ones.data(), bytes(), cudaMemcpyHostToDevice);
  }
  matrices(const matrices&) = delete;  // owns device memory
  matrices& operator=(const matrices&) = delete;
  ~matrices() {
    for (float* m : {a_, b_, c_}) cudaFree(m);
  }

  /// The time of one launch; a negative one when the product is wrong or the launch failed.
  seconds time_of_product() {
    const std::clock_t processor_begin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    const unsigned blocks = static_cast<unsigned>(size_ / tile_width);
    product<<<dim3(blocks, blocks), dim3(tile_width, tile_width)>>>(a_, b_, c_, size_);
    const cudaError_t status = cudaDeviceSynchronize();
    const seconds took{std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                       static_cast<double>(std::clock() - processor_begin) / CLOCKS_PER_SEC};
    std::vector<float> c(elements_);
    cudaMemcpy(c.data(), c_, bytes(), cudaMemcpyDeviceToHost);
    for (const float element : c)
      if (element != static_cast<float>(size_)) return {-1, -1};
    return status == cudaSuccess ? took : seconds{-1, -1};
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return sizeof(float) * elements_; }
  int size_;
  std::size_t elements_;
  float *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
};

}  // namespace

int main(int words, char** word) {
  const int size = words < 3 ? 0 : std::atoi(word[1]);
  if (size < tile_width || size % tile_width != 0) {
    std::fprintf(stderr, "usage: tiled_product SIZE WORKERS [counters] [checks]; SIZE is a multiple of %d\n",
                 tile_width);
    return 2;
  }
  simtlab::emulator::options options;
  options.workers = static_cast<unsigned>(std::atoi(word[2]));
  options.counters = options.checks = false;
  for (int i = 3; i < words; ++i) {
    options.counters |= std::strcmp(word[i], "counters") == 0;
    options.checks |= std::strcmp(word[i], "checks") == 0;
  }
  simtlab::emulator::configure(options);
  matrices m(size);
  m.time_of_product();  // touches every page once
  const seconds took = m.time_of_product();
  if (took.wall < 0) {
    std::fprintf(stderr, "the product came out wrong\n");
    return 1;
  }
  std::printf("%.6f %.6f\n", took.wall, took.processor);
}

// Four kernels that courses begin with, in their usual form: a stencil, a reduction, a histogram and an n-body step. Prints the
// seconds of wall and of processor time that one launch takes, the median of several behind a first one.
//   kernels NAME SIZE WORKERS [counters] [checks]       NAME: stencil (SIZE x SIZE), reduction, histogram, n-body
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator.h"

namespace {

constexpr int threads = 256, bins = 256, side = 16, launches = 5;

__global__ void stencil(const float* in, float* out, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= size - 1 || y >= size - 1) return;
  const int at = y * size + x;
  out[at] = 0.25f * (in[at - 1] + in[at + 1] + in[at - size] + in[at + size]);
}

__global__ void reduction(const float* in, float* sums, int size) {
  __shared__ float part[threads];
  const int t = threadIdx.x, at = blockIdx.x * blockDim.x + t;
  part[t] = at < size ? in[at] : 0;
  __syncthreads();
  for (int stride = threads / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void histogram(const int* in, int* counts, int size) {
  __shared__ int own[bins];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

__global__ void n_body(const float4* bodies, float4* forces, int size) {
  __shared__ float4 tile[threads];
  const float4 own = bodies[blockIdx.x * blockDim.x + threadIdx.x];
  float4 force = make_float4(0, 0, 0, 0);
  for (int first = 0; first < size; first += threads) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < threads; ++i) {
      const float dx = tile[i].x - own.x, dy = tile[i].y - own.y, dz = tile[i].z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float weight = tile[i].w * inverse * inverse * inverse;
      force.x += dx * weight;
      force.y += dy * weight;
      force.z += dz * weight;
    }
    __syncthreads();
  }
  forces[blockIdx.x * blockDim.x + threadIdx.x] = force;
}

template <class T>
class device_copy {
 public:
  explicit device_copy(const std::vector<T>& host) : elements_(host.size()) {
    cudaMalloc(&data_, bytes());
    cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice);
  }
  device_copy(const device_copy&) = delete;  // owns device memory
  device_copy& operator=(const device_copy&) = delete;
  ~device_copy() { cudaFree(data_); }
  [[nodiscard]] T* get() const { return data_; }
  [[nodiscard]] std::vector<T> host() const {
    std::vector<T> all(elements_);
    cudaMemcpy(all.data(), data_, bytes(), cudaMemcpyDeviceToHost);
    return all;
  }

 private:
  [[nodiscard]] std::size_t bytes() const { return sizeof(T) * elements_; }
  std::size_t elements_;
  T* data_ = nullptr;
};

struct seconds {
  double wall = 0, processor = 0;
};

/// The median of the launches behind the first, which touches every page.
template <class Launch>
seconds time_of(Launch&& launch) {
  std::vector<double> wall, processor;
  for (int i = 0; i <= launches; ++i) {
    const std::clock_t processor_begin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    launch();
    if (cudaDeviceSynchronize() != cudaSuccess) throw std::runtime_error("the launch failed");
    if (i == 0) continue;
    wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    processor.push_back(static_cast<double>(std::clock() - processor_begin) / CLOCKS_PER_SEC);
  }
  std::sort(wall.begin(), wall.end());
  std::sort(processor.begin(), processor.end());
  return {wall[launches / 2], processor[launches / 2]};
}

void expect(bool holds) {
  if (!holds) throw std::runtime_error("the kernel's result came out wrong");
}

seconds run_stencil(int size) {
  const auto elements = static_cast<std::size_t>(size) * size;
  std::vector<float> plane(elements);
  for (std::size_t i = 0; i < elements; ++i) plane[i] = static_cast<float>(i % size + i / size);
  const device_copy<float> in(plane), out(plane);
  const dim3 grid(size / side, size / side), block(side, side);
  const seconds took = time_of([&] { stencil<<<grid, block>>>(in.get(), out.get(), size); });
  expect(out.host() == plane);
  return took;
}
seconds run_reduction(int size) {
  const device_copy<float> in(std::vector<float>(size, 1.0f)), sums(std::vector<float>(size / threads));
  const seconds took = time_of([&] { reduction<<<size / threads, threads>>>(in.get(), sums.get(), size); });
  expect(sums.host() == std::vector<float>(size / threads, threads));
  return took;
}
seconds run_histogram(int size) {
  std::vector<int> values(size);
  for (int i = 0; i < size; ++i) values[i] = i * 7 % bins;
  const device_copy<int> in(values), counts(std::vector<int>(bins, 0));
  const seconds took = time_of([&] { histogram<<<64, threads>>>(in.get(), counts.get(), size); });
  expect(counts.host() == std::vector<int>(bins, (launches + 1) * (size / bins)));
  return took;
}
seconds run_n_body(int size) {
  std::vector<float4> all(size);
  for (int i = 0; i < size; ++i) all[i] = make_float4(i % 8, i / 8 % 8, i / 64, 1);
  const device_copy<float4> bodies(all), forces(all);
  const seconds took = time_of([&] { n_body<<<size / threads, threads>>>(bodies.get(), forces.get(), size); });
  double x = 0;
  for (const float4& b : all) x += b.x / std::pow(b.x * b.x + b.y * b.y + b.z * b.z + 0.01, 1.5);
  expect(std::fabs(forces.host()[0].x - x) < 1e-3 * x);
  return took;
}

}  // namespace

int main(int words, char** word) {
  const int size = words < 4 ? 0 : std::atoi(word[2]);
  if (size <= 0 || size % threads != 0) {
    std::fprintf(stderr, "usage: kernels NAME SIZE WORKERS [counters] [checks]; SIZE is a multiple of %d\n", threads);
    return 2;
  }
  simtlab::emulator::options options;
  options.workers = static_cast<unsigned>(std::atoi(word[3]));
  options.counters = options.checks = false;
  for (int i = 4; i < words; ++i) {
    options.counters |= std::strcmp(word[i], "counters") == 0;
    options.checks |= std::strcmp(word[i], "checks") == 0;
  }
  simtlab::emulator::configure(options);
  const std::string name = word[1];
  try {
    const seconds took = name == "stencil"     ? run_stencil(size)
                         : name == "reduction" ? run_reduction(size)
                         : name == "histogram" ? run_histogram(size)
                         : name == "n-body"    ? run_n_body(size)
                                               : throw std::runtime_error("no kernel is called " + name);
    std::printf("%.6f %.6f\n", took.wall, took.processor);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}

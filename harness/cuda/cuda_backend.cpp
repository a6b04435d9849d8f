// A real GPU as a backend: no counters, but guard bands, a clock and a description of the device.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "runner/backend.h"
#include "runner/cuda_check.h"
#include "runner/event_timer.h"

namespace simtlab {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string compiler_text() { return "nvcc " + version_text(CUDART_VERSION) + ", host compiler " __VERSION__; }

gpu_description describe_gpu() {
  int index = 0, driver = 0, runtime = 0;
  cudaDeviceProp properties{};
  SIMTLAB_CHECKED(cudaGetDevice(&index));
  SIMTLAB_CHECKED(cudaGetDeviceProperties(&properties, index));
  SIMTLAB_CHECKED(cudaDriverGetVersion(&driver));
  SIMTLAB_CHECKED(cudaRuntimeGetVersion(&runtime));
  return {properties.name,
          version_text(driver),
          version_text(runtime),
          std::to_string(properties.major) + "." + std::to_string(properties.minor),
          static_cast<std::uint64_t>(properties.multiProcessorCount),
          static_cast<std::uint64_t>(properties.totalGlobalMem)};
}

class cuda_backend final : public backend {
 public:
  environment describe(const case_request&) override { return {compiler_text(), std::nullopt, describe_gpu()}; }
  std::size_t guard_bytes() const override { return 4096; }  // a multiple of the alignment of cudaMalloc
  bool fills_fresh_memory() const override { return false; }
  void name_memory(const void*, std::size_t, std::string_view) override {}
  void begin(const case_request&) override {}
  measurements take(bool) override { return {}; }
  void on_fatal(std::function<void(measurements)>) override {}

  std::optional<double> copy_gigabytes_per_second() override {
    constexpr std::size_t bytes = std::size_t{256} << 20;  // far more than any L2 cache
    constexpr int warm_ups = 3, repetitions = 11;
    struct device_memory {
      void* pointer = nullptr;
      device_memory() { SIMTLAB_CHECKED(cudaMalloc(&pointer, bytes)); }
      ~device_memory() { cudaFree(pointer); }
      device_memory(const device_memory&) = delete;  // it owns device memory
      device_memory& operator=(const device_memory&) = delete;
    } const from, to;
    SIMTLAB_CHECKED(cudaMemset(from.pointer, 1, bytes));
    event_timer timer;
    std::vector<double> milliseconds;
    for (int i = 0; i < warm_ups + repetitions; ++i) {
      timer.start();
      SIMTLAB_CHECKED(cudaMemcpyAsync(to.pointer, from.pointer, bytes, cudaMemcpyDeviceToDevice));
      const double elapsed = timer.stop();
      if (i >= warm_ups) milliseconds.push_back(elapsed);
    }
    std::ranges::nth_element(milliseconds, milliseconds.begin() + repetitions / 2);
    return 2.0 * static_cast<double>(bytes) / (milliseconds[repetitions / 2] * 1e6);
  }
};

}  // namespace

backend& this_backend() {
  static cuda_backend backend;
  return backend;
}

}  // namespace simtlab

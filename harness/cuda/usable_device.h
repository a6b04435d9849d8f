// Why no GPU can be used here, in words that say what to do. From plain numbers, so that it is tested without any.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace simtlab {

struct device_probe {
  cudaError_t counted = cudaSuccess;  ///< what cudaGetDeviceCount returned
  int count = 0;
  int driver = 0, runtime = 0;  ///< as CUDA writes versions: 13000; a driver of 0: there is none
};

/// 13000 as people write it: 13.0.
[[nodiscard]] std::string cuda_version_text(int version);
/// Empty when a device is there.
[[nodiscard]] std::string obstacle_to_use(const device_probe&);
/// After the first call that needs a context; empty when it went well.
[[nodiscard]] std::string obstacle_to_run(cudaError_t, const std::string& gpu);

}  // namespace simtlab

#include "cuda/device_description.h"

#include <cuda_runtime.h>

#include <stdexcept>

#include "cuda/usable_device.h"
#include "runner/cuda_check.h"

namespace simtlab {

std::string cuda_compiler_text() {
  return "nvcc " + cuda_version_text(CUDART_VERSION) + ", host compiler " __VERSION__;
}

gpu_description describe_gpu() {
  int index = 0, driver = 0, runtime = 0, count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  SIMTLAB_CHECKED(cudaDriverGetVersion(&driver));
  SIMTLAB_CHECKED(cudaRuntimeGetVersion(&runtime));
  if (const std::string problem = obstacle_to_use({counted, count, driver, runtime}); !problem.empty())
    throw std::runtime_error(problem);
  cudaDeviceProp properties{};
  SIMTLAB_CHECKED(cudaGetDevice(&index));
  SIMTLAB_CHECKED(cudaGetDeviceProperties(&properties, index));
  if (const std::string problem = obstacle_to_run(cudaFree(nullptr), properties.name); !problem.empty())
    throw std::runtime_error(problem);
  return {properties.name,
          cuda_version_text(driver),
          cuda_version_text(runtime),
          std::to_string(properties.major) + "." + std::to_string(properties.minor),
          static_cast<std::uint64_t>(properties.multiProcessorCount),
          static_cast<std::uint64_t>(properties.totalGlobalMem)};
}

}  // namespace simtlab

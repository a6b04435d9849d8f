// Every CUDA call of the runner is checked.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace simtlab {

class cuda_failure : public std::runtime_error {
 public:
  cuda_failure(cudaError_t e, const char* call, const char* file, int line)
      : std::runtime_error(std::string(call) + " failed with " + cudaGetErrorName(e) + " (" + cudaGetErrorString(e) +
                           ") at " + file + ":" + std::to_string(line)),
        code(e) {}
  cudaError_t code;
};

/// Throws cuda_failure with the call's text and place.
#define SIMTLAB_CHECKED(call)                                                   \
  do {                                                                          \
    if (const cudaError_t simtlab_error = (call); simtlab_error != cudaSuccess) \
      throw ::simtlab::cuda_failure(simtlab_error, #call, __FILE__, __LINE__);  \
  } while (false)

}  // namespace simtlab

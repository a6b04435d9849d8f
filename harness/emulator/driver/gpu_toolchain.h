// The programs of the CUDA Toolkit that --engine sass needs: nvcc, which compiles kernels for a GPU, and nvdisasm, which reads
// what it made.
#pragma once

#include <filesystem>

#include "driver/installation.h"

namespace simtlab::emulator {

struct gpu_toolchain {
  std::filesystem::path nvcc, nvdisasm;

  /// Each from the first of these folders that has it: CUDA_HOME/bin, CUDA_PATH/bin, those of PATH, /usr/local/cuda/bin, and those of
  /// the Python packages nvidia-cuda-nvcc and nvidia-cuda-nvdisasm in the environments VIRTUAL_ENV and `installation::wheels`.
  /// Throws machine_fault where one is in none.
  static gpu_toolchain find(const installation&);
};

}  // namespace simtlab::emulator

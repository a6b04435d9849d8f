// The programs of the CUDA Toolkit that --engine sass needs: nvcc, which compiles kernels for a GPU, and nvdisasm, which reads
// what it made.
#pragma once

#include <filesystem>
#include <vector>

#include "driver/installation.h"

namespace simtlab::emulator {

struct gpu_toolchain {
  std::filesystem::path nvcc, nvdisasm;

  /// CUDA_HOME/bin, CUDA_PATH/bin, those of PATH, /usr/local/cuda/bin, and those of the Python packages nvidia-cuda-nvcc and
  /// nvidia-cuda-nvdisasm in the environments VIRTUAL_ENV and `installation::wheels`.
  static std::vector<std::filesystem::path> folders(const installation&);
  /// Each from the first folder that has it. Throws machine_fault where one is in none, or where this tree has no engine that runs what they make.
  static gpu_toolchain find_in(const std::vector<std::filesystem::path>& folders, const installation&);
  static gpu_toolchain find(const installation& where) { return find_in(folders(where), where); }
};

}  // namespace simtlab::emulator

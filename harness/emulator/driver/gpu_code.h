// What nvcc makes of a CUDA source for --engine sass: its kernels' machine code, which the program carries along and which the
// emulator executes (sass/) in the place of what g++ made of them. Host code stays g++'s.
#pragma once

#include <filesystem>
#include <string>

#include "driver/command_line.h"
#include "driver/gpu_toolchain.h"
#include "driver/installation.h"
#include "driver/process.h"

namespace simtlab::emulator {

class gpu_code {
 public:
  /// Starts nvcc on `source`; `folder` takes what it writes. Throws machine_fault where a program is missing.
  gpu_code(const command_line&, const installation&, const std::filesystem::path& source,
           const std::filesystem::path& folder);

  /// Waits. Assembly that puts the machine code, and what nvdisasm reads in it, into section `simtlab_machine_code`
  /// (simtlab_machine_code in include/simtlab/emulator_entry.h). Throws program_error where nvcc or ptxas refuses the program.
  [[nodiscard]] std::string finish();

 private:
  std::filesystem::path source_, cubin_;
  gpu_toolchain tools_;
  started_process nvcc_;
};

}  // namespace simtlab::emulator

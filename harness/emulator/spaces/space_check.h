// CUDA's rules for execution spaces: what device code may call and read, what host code may call, what can be launched.
//
// g++ compiles host and device code in one pass and knows no spaces. Here they are held against what it resolved
// (program_dump.h), as nvcc does; a program that breaks a rule would not compile for a GPU.
#pragma once

#include <string>
#include <vector>

#include "spaces/placed_variables.h"
#include "spaces/program_dump.h"
#include "spaces/source_outline.h"

namespace simtlab::emulator {

struct space_error {
  source_place place;
  std::string message;
  std::uint32_t in_host = 0;  ///< the host function that calls a device function; 0: another rule
};

struct checked_program {
  const program_dump& dump;
  const source_outline& source;
  std::string own_headers;                 ///< folder of the emulator's headers
  std::vector<placed_variable> variables;  ///< of the device's memories
  source_lines lines_by_arch;              ///< whose host code nvcc does not compile for the host (arch_branches.h)
  bool relaxed_constexpr = false;          ///< device code may call host functions that are `constexpr`
  bool extended_lambda = false;            ///< lambdas may be `__device__`
  bool separate_device_code = false;       ///< device code may call what another file defines
};

/// In the order of the source.
[[nodiscard]] std::vector<space_error> check_spaces(const checked_program&);

/// The program's functions by where their addresses lead, by symbols.
struct own_functions {
  std::vector<std::string> for_hosts_alone;  ///< no version for the device: a kernel gets to none, by a pointer either
  std::vector<std::string> for_devices;  ///< with one, kernels apart: host code's address of them is the host's version
};
[[nodiscard]] own_functions own_functions_of(const checked_program&);

}  // namespace simtlab::emulator

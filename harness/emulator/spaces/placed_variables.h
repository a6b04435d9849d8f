// Where a program's variables lie, as its assembly says: in device memory, in shared memory, or on the host.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

struct placed_variable {
  std::string_view symbol;
  bool shared = false;  ///< else device, constant or managed
  std::size_t bytes = 0;
  bool constant = false;
};

/// Variables of the device's memories; `assembly` must outlive the result.
[[nodiscard]] std::vector<placed_variable> placed_variables(std::string_view assembly);

/// `assembly` with device, constant and managed variables internal to their file, as nvcc has them without separate compilation
/// of device code: two files may have variables of one name.
[[nodiscard]] std::string with_internal_variables(const std::string& assembly);

}  // namespace simtlab::emulator

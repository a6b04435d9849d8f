// Where a program's variables lie, as its assembly says: in device memory, in shared memory, or on the host.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

struct placed_variable {
  std::string_view symbol;
  bool shared = false;  ///< else device, constant or managed
  std::size_t bytes = 0;
};

/// Variables of the device's memories; `assembly` must outlive the result.
[[nodiscard]] std::vector<placed_variable> placed_variables(std::string_view assembly);

}  // namespace simtlab::emulator

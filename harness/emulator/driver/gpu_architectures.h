// The words of nvcc's -arch and -gencode.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

/// The values of `__CUDA_ARCH__` (800 of sm_80) that `given` names: `sm_80`, `compute_90a`, `arch=compute_80,code=[sm_80,compute_80]`.
/// None for native, all and all-major. Throws `usage_error` for an architecture that no nvcc has known.
[[nodiscard]] std::vector<int> architectures_in(std::string_view option, const std::string& given);

}  // namespace simtlab::emulator

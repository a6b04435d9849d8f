// CUDA's execution spaces: where a function may run.
#pragma once

#include <cstdint>

namespace simtlab::emulator {

enum class execution_space : std::uint8_t { host, device, host_device, kernel };

constexpr bool is_callable_on_host(execution_space s) {
  return s == execution_space::host || s == execution_space::host_device;
}

}  // namespace simtlab::emulator

// What the assembly rewriter's added hooks (translator/missing_hooks.h) tell the log: bytes and pieces of an access that
// g++ left without a hook, in one number.
#pragma once

#include <cstdint>

#include "trace/general_registers.h"

namespace simtlab::emulator {

struct added_access {
  static constexpr std::uint32_t most_bytes = 0xfffff;

  std::uint32_t bytes = 0;     ///< 1 to `most_bytes`
  std::uint32_t piece = 1;     ///< bytes of the pieces that a GPU would access: a power of two, 16 at most
  bool thread_local_ = false;  ///< the address is a distance in the thread's storage

  [[nodiscard]] constexpr std::uint32_t code() const {
    return bytes | piece << 20 | static_cast<std::uint32_t>(thread_local_) << 30;
  }
  SIMTLAB_GENERAL_REGISTERS static constexpr added_access from(std::uint32_t code) {
    return {code & most_bytes, code >> 20 & 0x1f, (code >> 30 & 1) != 0};
  }
};

}  // namespace simtlab::emulator

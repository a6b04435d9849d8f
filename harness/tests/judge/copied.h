// Copies between host and device as a runner tells them.
#pragma once

#include <cstdint>
#include <string>

#include "protocol/measurement.h"

namespace simtlab::example {

/// Of `bytes` bytes of a host's array that has `array_bytes`, from `offset` on; on the device an array of the same size and name.
inline timed_operation copied(const std::string& kind, int line, const std::string& array, std::uint64_t array_bytes,
                              std::uint64_t offset, std::uint64_t bytes, std::uint64_t stream = 1) {
  timed_operation o;
  o.kind = kind;
  o.stream = stream;
  o.bytes = bytes;
  o.copy = timed_copy{"kernel.cu", line, {array, 0, array_bytes, offset}, {array, 7, array_bytes, offset}, true};
  return o;
}

}  // namespace simtlab::example

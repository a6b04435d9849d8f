// A hash of the bytes of a value: equal bytes give equal hashes. Values up to eight bytes hash to themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/mix64.h"

namespace simtlab::emulator {

inline std::uint64_t value_hash(const void* from, std::size_t bytes) {
  std::uint64_t word = 0;
  if (bytes == 4) {  // by far the most frequent: one load
    std::uint32_t four = 0;
    std::memcpy(&four, from, 4);
    return four;
  }
  if (bytes <= 8) {
    std::memcpy(&word, from, bytes);
    return word;
  }
  std::uint64_t hash = mix64(bytes);
  const auto* at = static_cast<const unsigned char*>(from);
  for (; bytes >= 8; at += 8, bytes -= 8) {
    std::memcpy(&word, at, 8);
    hash = mix64(hash ^ word);
  }
  if (bytes > 0) {
    word = 0;
    std::memcpy(&word, at, bytes);
    hash = mix64(hash ^ word);
  }
  return hash;
}

}  // namespace simtlab::emulator

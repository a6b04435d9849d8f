// The bytes of numbers, as arguments and results carry them.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace simtlab {

template <class T>
std::vector<std::byte> as_bytes(const std::vector<T>& values) {
  std::vector<std::byte> made(values.size() * sizeof(T));
  if (!made.empty()) std::memcpy(made.data(), values.data(), made.size());  // the pointers of empty vectors may be null
  return made;
}

}  // namespace simtlab

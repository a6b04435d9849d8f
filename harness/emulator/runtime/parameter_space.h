// Addresses in constant memory for the parameters of kernels. Nothing lies there: reads of the threads' copies are counted at
// them (trace/parameters.h).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "core/memory_map.h"

namespace simtlab::emulator {

class parameter_space {
 public:
  explicit parameter_space(memory_map& map) : map_(map) {}

  /// Where a parameter of `bytes` has its place, the same at each launch; 0 when there is no more room. `kernel` tells
  /// kernels apart; an empty name becomes the parameter's number, counted from 1.
  [[nodiscard]] address place_of(const void* kernel, unsigned index, std::size_t bytes, const std::string& name);
  /// All places, also those to come; empty before the first.
  [[nodiscard]] const address_range& range() const { return range_; }

 private:
  memory_map& map_;
  address_range range_;
  address next_ = 0;  // in it
  std::map<std::pair<const void*, unsigned>, address> places_;
};

}  // namespace simtlab::emulator

// Where the launch that runs keeps its kernel's arguments. Every thread gets a copy of its own before the kernel begins; on a
// GPU the parameters are there, so that copying them is no access of the program's.
//
// A GPU has parameters in constant memory. So what a thread reads of a structure or an array that was passed by value, at a
// place that is known only when the kernel runs, is a request to constant memory, at an address that all threads share
// (`wide_parameter::counted`); a place that is known before is a part of the instruction, and no request. What the thread
// has changed is a variable of its own.
#pragma once

#include <cstddef>
#include <vector>

#include "core/types.h"

namespace simtlab::emulator {

/// A parameter that no registers hold.
struct wide_parameter {
  const char* value = nullptr;  ///< as it was passed
  std::size_t bytes = 0;
  address counted = 0;       ///< where reads of it are counted; nothing lies there
  bool holds_table = false;  ///< of the caller's, which went by way of the host
};

struct parameter_memory {
  address begin = 0;
  std::size_t bytes = 0;
  std::vector<wide_parameter> wide;
  [[nodiscard]] bool contains(const void* from, std::size_t count) const {
    const address offset = reinterpret_cast<address>(from) - begin;
    return offset < bytes && count <= bytes - offset;
  }
};
/// Of the one launch that runs at a time; set before its threads begin.
extern parameter_memory the_parameters;

/// Where a read by the running lane of its own stack is counted that reads a wide parameter; 0: it reads something else.
/// Provided by the scheduler.
[[nodiscard]] address counted_parameter(const void* where, std::size_t bytes);

}  // namespace simtlab::emulator

// The array arguments of a device entry, and how many of their elements an access is worth.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "judge/score/array_flow.h"
#include "judge/score/number.h"
#include "protocol/measurement.h"
#include "spec/argument.h"

namespace simtlab {

/// An array argument of a device entry.
struct argument_size {
  std::string name;
  argument_role role = argument_role::input;
  double bytes = 0;
  std::size_t element_bytes = 1;
};

/// Null: no array argument has that name.
[[nodiscard]] inline const argument_size* argument_called(const std::vector<argument_size>& arguments,
                                                          std::string_view name) {
  const auto known = std::ranges::find(arguments, name, &argument_size::name);
  return known == arguments.end() ? nullptr : &*known;
}

[[nodiscard]] inline bool is_input(const std::vector<argument_size>& arguments, std::string_view name) {
  const argument_size* const known = argument_called(arguments, name);
  return known != nullptr && !is_written(known->role);
}

[[nodiscard]] inline argument_bytes bytes_by_name(const std::vector<argument_size>& arguments) {
  argument_bytes bytes;
  for (const argument_size& a : arguments) bytes[a.name] = a.bytes;
  return bytes;
}

[[nodiscard]] inline double elements_of(const argument_size& a) { return a.bytes / number(a.element_bytes); }

/// What lanes read or write of an array: a load of four elements counts as four. `element_bytes` is 0 where nobody knows it; each
/// lane then counts as one.
[[nodiscard]] inline double elements_in(const access_counters& a, std::size_t element_bytes) {
  return element_bytes == 0 ? number(a.lanes) : std::max(number(a.lanes), number(a.bytes) / number(element_bytes));
}

}  // namespace simtlab

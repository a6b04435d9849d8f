// The control below a picture of the profile's page: what would the request cost with another pitch, padding, element or offset? The
// page's script counts as costs/coalescing.h and costs/bank_conflicts.h do; a test holds them together (grading/tests/
// test_profile_page.py).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "protocol/measurement.h"

namespace simtlab {

/// Lane l asks for element `offset + l % row * step + l / row * pitch`.
struct affine_pattern {
  unsigned row = 32;        ///< lanes in a row: a power of two
  std::int64_t offset = 0;  ///< in elements, of lane 0 from the beginning of its line of 128 bytes
  std::int64_t step = 0, pitch = 0;
};

/// The pattern with the longest rows that gives the active lanes their addresses; nothing where there is none, as where an array is
/// indexed by data.
[[nodiscard]] std::optional<affine_pattern> affine_pattern_of(const example_place&, const request_example&);

/// An element `details`; "" where the script has no rule: atomic operations, constant memory, textures, elements of odd sizes.
[[nodiscard]] std::string what_if_control(const example_place&, const request_example&);

/// What the controls of a page need, once.
[[nodiscard]] const char* what_if_script();

}  // namespace simtlab

// What one run of a lab changed against the run before, from the two facts documents: for a student who saves and looks.
#pragma once

#include <string>
#include <vector>

#include "protocol/bounded_json.h"

namespace simtlab {

/// One sentence of a run: "PASS  6 of 6 cases right, no findings, fast 100 of 100".
struct headline {
  bool passed = false;
  std::string text;
};
[[nodiscard]] headline headline_of(const json& facts);

/// Short lines, the most telling first: "2 cases more pass: 4 -> 6 of 6", "1 finding gone: shared-race of tile", "sectors per
/// request 17 -> 4". Empty where nothing changed, or where `before` is no facts document of the same lab and backend.
/// Lines of the source are no part of it: they move while a student types.
[[nodiscard]] std::vector<std::string> differences(const json& before, const json& now);

/// Whether `before` can be compared with `now`.
[[nodiscard]] bool is_comparable(const json& before, const json& now);

}  // namespace simtlab

// Cases that students do not see: a JSON file from the grader, `[{"name": "…", "sizes": {"rows": 33}}]`.
#pragma once

#include <filesystem>
#include <vector>

#include "spec/lab_core.h"

namespace simtlab {

/// Throws specification_error when the file is not such a list or a case does not have the sizes of the visible ones.
[[nodiscard]] std::vector<test_case> read_hidden_cases(const std::filesystem::path&, const lab&);

}  // namespace simtlab

// A case under compute-sanitizer, on request: for those who have a GPU and want a second opinion on their memory accesses.
#pragma once

#include <string>
#include <vector>

#include "judge/case_runner.h"

namespace simtlab {

struct sanitizer_findings {
  std::vector<finding> findings;  ///< with the lab's severities
  std::string problem;            ///< why a tool said nothing; empty: each spoke
};

/// Runs the case under options.sanitizer once for each of its tools, 1 to 2 s each. Never throws for what they do.
[[nodiscard]] sanitizer_findings sanitize(const std::string& lab_name, const lab&, const judge_options&,
                                          const test_case&);

}  // namespace simtlab

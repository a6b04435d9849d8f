// Findings as a student mends them: one for each cause, the causes before what follows from them.
#pragma once

#include <string>
#include <vector>

#include "protocol/measurement.h"

namespace simtlab {

struct finding_group {
  finding first;                         ///< with the number of times of all
  std::vector<std::string> variables;    ///< each once
  std::vector<finding_place> places;     ///< each line once
  std::vector<std::string> followed_by;  ///< rules of findings that mending this one is likely to mend
};

/// Findings of one rule are one where they say the same of the same kernel, and where threads are missing at several
/// places. Behind an error that explains them come no races and no reads of unset memory of the same kernel.
[[nodiscard]] std::vector<finding_group> grouped_findings(const std::vector<finding>&);

}  // namespace simtlab

// A report as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), which code hosts and editors show at the lines.
#pragma once

#include <string>

#include "report/report.h"
#include "report/source_paths.h"

namespace simtlab::emulator {

/// One run with all findings. Every result has a location, as GitHub's upload demands; the other line of a race is a related one.
[[nodiscard]] std::string sarif_report(const report&, const program_end&, const source_paths&);

}  // namespace simtlab::emulator

// Findings as workflow commands of GitHub Actions, which shows them at their lines ("Workflow commands", "Setting an error message").
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "report/source_paths.h"

namespace simtlab::emulator {

/// One line per finding: `::error file=…,line=…,title=…::…`; notes are notices.
[[nodiscard]] std::string workflow_commands(const std::vector<finding>&, const source_paths&);

}  // namespace simtlab::emulator

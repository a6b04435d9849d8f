// Findings as a person reads them in a terminal.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace simtlab::emulator {

/// `thread (1,0,0) of block (0,0,0)`; `the program` when the place has no thread.
[[nodiscard]] std::string thread_text(const finding_place&);

/// One finding in a few lines: a headline with place, severity, rule and variable, then who did what where, then the
/// sentences that explain it. No trailing blank line; ends in a newline.
[[nodiscard]] std::string finding_text(const finding&);

/// All findings with a blank line between them, and a last line that counts them by severity; empty for no findings.
[[nodiscard]] std::string findings_text(const std::vector<finding>&);

}  // namespace simtlab::emulator

// Findings as a person reads them in a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/report.h"

namespace simtlab::emulator {

/// `thread (1,0,0) of block (0,0,0)`; `the program` when the place has no thread.
[[nodiscard]] std::string thread_text(const finding_place&);

/// `0 errors`, `1 launch`, `2 launches`.
[[nodiscard]] std::string counted_text(std::size_t count, const std::string& noun);

/// One finding in a few lines: a headline with place, severity, rule and variable, then who did what where, then the
/// sentences that explain it. No trailing blank line; ends in a newline.
[[nodiscard]] std::string finding_text(const finding&);

/// `shared-race of tile in kernel reverse (3 times)`.
[[nodiscard]] std::string title_text(const finding&);

/// Who did what, a line for each place, and the sentences that explain it, unbroken and without a newline at the end: for
/// programs that show a finding at its line.
[[nodiscard]] std::string details_text(const finding&);

/// All findings, a blank line behind each; empty for no findings.
[[nodiscard]] std::string findings_text(const std::vector<finding>&);

/// The line that ends what a program's run says: `simtlab: 1 error, 0 warnings; 3 launches of 2 kernels`.
[[nodiscard]] std::string summary_text(const report&);

}  // namespace simtlab::emulator

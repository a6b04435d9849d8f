// A report as JUnit XML, which CI systems show as test results.
#pragma once

#include <string>

#include "report/report.h"
#include "report/source_paths.h"

namespace simtlab::emulator {

/// One suite for the program. Test cases: the program's end, each kernel without an error, and each error, which fails. What is
/// no error stands in the suite's output.
[[nodiscard]] std::string junit_report(const report&, const program_end&, const source_paths&);

}  // namespace simtlab::emulator

// The source with counters and findings beside its lines, and the launches above it.
#pragma once

#include <string>

#include "report/report.h"

namespace simtlab::emulator {

/// One line a launch: kernel, shape, shared memory, occupancy.
[[nodiscard]] std::string launches_text(const report&);
/// Every file that can be read and that an access or a finding names. Findings of no such file are left to the caller.
[[nodiscard]] std::string annotated_source(const report&);

}  // namespace simtlab::emulator

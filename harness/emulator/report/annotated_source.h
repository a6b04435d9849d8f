// The source with counters and findings beside its lines, and the launches above it.
#pragma once

#include <filesystem>
#include <string>

#include "report/report.h"

namespace simtlab::emulator {

/// One line a launch: kernel, shape, shared memory, occupancy.
[[nodiscard]] std::string launches_text(const report&);
/// Every file that an access or a finding names, read from where it lay when it was compiled, else from `start`, the folder in
/// which the program was started. Of a file that is in neither, the text says where it was looked for, and has the counters
/// without the source. Findings of no file are left to the caller.
[[nodiscard]] std::string annotated_source(const report&, const std::filesystem::path& start);

}  // namespace simtlab::emulator

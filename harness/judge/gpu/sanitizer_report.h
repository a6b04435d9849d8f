// What NVIDIA's compute-sanitizer printed, as findings in the emulator's form: rule, line, thread, sentence.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "protocol/measurement.h"

namespace simtlab {

/// Its tools, each a run of its own: addresses, races in shared memory, memory that nobody set, barriers.
inline constexpr std::array<const char*, 4> sanitizer_tools{"memcheck", "racecheck", "initcheck", "synccheck"};

/// The findings in a log of one tool, each (rule, lines) once with how often it was seen. What it tells of host code alone,
/// such as a CUDA call that failed because a kernel was stopped, is left out: the judge has it from the runner. Never
/// throws: of a log that was cut, or that another version wrote, it takes what it knows.
[[nodiscard]] std::vector<finding> findings_of_sanitizer(std::string_view log);

/// Whether the log has an end: the tool's own summary.
[[nodiscard]] bool is_complete_log(std::string_view log);

}  // namespace simtlab

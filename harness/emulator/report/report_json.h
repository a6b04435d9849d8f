// A report as JSON, for programs to read. The format is `report.schema.json` beside this file (JSON Schema).
#pragma once

#include <string>

#include "report/report.h"

namespace simtlab::emulator {

/// `ended`: false when a fault ended the program.
[[nodiscard]] std::string report_json(const report&, bool ended);

[[nodiscard]] const char* space_name(memory_space);
[[nodiscard]] const char* access_name(access);

}  // namespace simtlab::emulator

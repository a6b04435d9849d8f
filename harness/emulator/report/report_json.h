// A report as JSON, for programs to read. The format is `report.schema.json` beside this file (JSON Schema).
#pragma once

#include <string>

#include "report/report.h"

namespace simtlab::emulator {

/// `ended`: false when a fault ended the program.
[[nodiscard]] std::string report_json(const report&, bool ended);

}  // namespace simtlab::emulator

// A lab's specification as data: what `simtlab verify` compares a handout with.
#pragma once

#include <string>

#include "protocol/bounded_json.h"
#include "spec/lab_core.h"

namespace simtlab {

/// {lab, kind, arguments [name], cases [{name, sizes [{name, value}], fails_call, tolerance}], benchmark {emulator, gpu},
/// criteria [{metric, says, of, full_at, none_at, weight, hint, emulator, gpu}], pass_at}. Sizes keep the order of lab.cpp;
/// weights are those of lab.cpp. Needs no runner.
[[nodiscard]] json description_of_lab(const std::string& name, const lab&);

}  // namespace simtlab

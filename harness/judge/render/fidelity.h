// How far a counter may be believed, in one word that the terminal, the page and docs/counters.md share: `exact`, `model`, or
// `not modelled` for what the emulator does not count at all (gpu/nsight_names.def).
#pragma once

#include <string_view>

#include "emulator/core/counters.h"

namespace simtlab {

/// "exact": the source and a rule of CUDA's alone decide. "model": on a GPU a compiler, a driver or a unit that NVIDIA does not
/// document decides, and the emulator follows a model of it.
[[nodiscard]] constexpr std::string_view fidelity_of(emulator::exactness e) { return emulator::fidelity_name(e); }

/// Of the counter with this name of a request. Throws std::logic_error where there is none.
[[nodiscard]] std::string_view fidelity_of(std::string_view request_counter);

/// The line below a table of figures: which of them are exact, and where the words are explained.
[[nodiscard]] std::string_view fidelity_sentence();

}  // namespace simtlab

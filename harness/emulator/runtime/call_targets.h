// Whether a function begins where the program wants to call one (call_targets.cpp).
#pragma once

#include <cstdint>

#include "runtime/device.h"

namespace simtlab::emulator {

/// Whether host code may call `target`. A null pointer may be called: the call ends as it always does.
[[nodiscard]] bool may_call(const device&, std::uintptr_t target);

/// Makes what the looks need, so that later ones change no memory.
void make_lists_of_targets();

}  // namespace simtlab::emulator

// Where the parts of the running executable lie that the emulator must tell apart.
#pragma once

#include <cstdint>

#include "trace/request_emitter.h"

namespace simtlab::emulator {

/// The `__device__` variables of the program; empty if it has none.
address_range device_symbol_range();
/// Whether a `__managed__` variable, which lies among the device variables, holds the address.
bool is_managed_symbol(address);
/// The `__constant__` variables.
address_range constant_symbol_range();
/// Literals and tables that the compiler put into read-only memory: a kernel may read them.
address_range read_only_range();
/// Greatest site of the program's code, plus one.
std::uint64_t text_bytes();

}  // namespace simtlab::emulator

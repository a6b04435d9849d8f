// Where the parts of the running executable lie that the emulator must tell apart.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/request_emitter.h"

namespace simtlab::emulator {

/// The `__device__` variables of the program; empty if it has none.
address_range device_symbol_range();
/// Whether a `__managed__` variable, which lies among the device variables, holds the address.
bool is_managed_symbol(address);
/// The `__constant__` variables.
address_range constant_symbol_range();
/// The pages in which the `__device__` variables lie, with nothing else in them, and those of the `__constant__` variables.
address_range device_symbol_pages();
address_range constant_symbol_pages();
/// The executable's code: the program's and the emulator's.
address_range program_code();
/// That of the emulator and its embedder alone, in each section for code; empty in a program that is linked without a boundary.
std::array<address_range, 2> own_code();
bool is_own_code(address);
/// Literals and tables that the compiler put into read-only memory: a kernel may read them.
address_range read_only_range();
/// What the program's code calls of what makes threads depend on one another.
struct synchronisation_used {
  bool fences = false;
  bool strong_accesses = false;  ///< atomic operations, volatile reads
};
const synchronisation_used& synchronisation_of_program();
/// Threads that a block of the kernel may have by its `__launch_bounds__`, or of the kernel that the function runs; 0: as many as
/// the device allows.
std::uint64_t launch_bound(const void* function);
/// What the function at `begin` calls, or jumps to, by a distance, as far as its code goes.
std::vector<address> calls_of(address begin);
/// Greatest site of the program's code, plus one.
std::uint64_t text_bytes();

}  // namespace simtlab::emulator

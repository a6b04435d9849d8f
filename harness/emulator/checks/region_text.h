// How findings speak of memory: a variable's element by name and index, and never a raw address of this process, which
// would differ from run to run.
#pragma once

#include <string>

#include "core/memory_map.h"
#include "observers/observer.h"

namespace simtlab::emulator {

/// "reads", "writes", "atomically updates".
[[nodiscard]] const char* verb(access);

/// The region of the address in the request's space, live or not; null if none. In the heap of kernels it is the block's.
[[nodiscard]] const memory_region* region_of(const memory_map&, memory_space, address);

/// `tile`, or what kind of memory it is when it has no name: `an allocation of 1024 bytes`.
[[nodiscard]] std::string region_name(const memory_region&);

/// `tile[17]`, counting in elements of `width` bytes; `tile` when the region is a single such element; `shared memory`
/// without a region.
[[nodiscard]] std::string element_text(const memory_region*, memory_space, address, std::uint32_t width);

/// What host code passes that names a `__device__` or `__constant__` variable where a pointer is wanted; a sentence goes on behind it
/// with `, which`.
[[nodiscard]] std::string shadow_text(const memory_region&);

}  // namespace simtlab::emulator

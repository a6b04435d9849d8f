// Memory of the emulator's and its embedder's own, apart from the program's heap: so that an address alone tells whose it is.
//
// One reserved stretch of address space. operator new takes from it on a thread that has said so, and from the ordinary heap
// otherwise; operator delete looks at the address. Memory that the emulator maps by itself lies there too. What C libraries
// allocate with malloc does not.
#pragma once

#include <cstddef>

#include "core/types.h"

namespace simtlab::emulator {

/// Begin and end of the stretch.
[[nodiscard]] address_range private_memory();

/// Whether operator new on this thread takes private memory. Use the scope below.
extern __thread bool allocates_privately;

/// While it exists, what this thread allocates with operator new is private. Scopes nest.
class private_allocation {
 public:
  private_allocation() : before_(allocates_privately) { allocates_privately = true; }
  ~private_allocation() { allocates_privately = before_; }
  private_allocation(const private_allocation&) = delete;  // it restores
  private_allocation& operator=(const private_allocation&) = delete;

 private:
  bool before_;
};

/// How many bits less of address space are reserved: arm64's processes may have 39 bits of it in all, and under qemu-user each
/// page reserved costs time at the start.
#ifdef __aarch64__
inline constexpr unsigned scarce_address_bits = 3;
#else
inline constexpr unsigned scarce_address_bits = 0;
#endif

/// `bytes` of zeroed memory that take room only once they are touched. Unless `open` they are inaccessible, apart from the rest,
/// and their owner's to protect (memory_calls.h). Throws std::bad_alloc.
[[nodiscard]] void* map_privately(std::size_t bytes, bool open);
void unmap_privately(void*, std::size_t bytes);
/// What was ever handed out accessible: all of it is, but while it is closed (closed_memory.h).
[[nodiscard]] address_range accessible_private_memory();

}  // namespace simtlab::emulator

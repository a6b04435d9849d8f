// What host code reads of memory that it shares with kernels, in a program that was handed memory. That memory is closed to
// host code after each launch and copy (arena.h); its first touch of a page is seen, and tells what it reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/memory_map.h"
#include "runtime/arena.h"
#include "runtime/host_ranges.h"
#include "runtime/host_work.h"
#include "runtime/managed_accesses.h"
#include "scheduler/fault.h"

namespace simtlab::emulator {

class host_watch {
 public:
  /// `heap`: where the heap of kernels begins, no part of which is shown to host code.
  host_watch(arena& memory, const memory_map& map, address heap, const host_ranges& handed, host_work& work,
             managed_accesses& noted)
      : memory_(memory), map_(map), heap_(heap), handed_(handed), work_(work), noted_(noted) {}

  /// The program is handed memory: what its host code does is asked for from now on.
  void watch();
  /// A kernel or a copy has stored to memory that host code shares.
  void close();
  /// Host code touches memory that is closed to it. Code with hooks has told the access; what a library's code reads is
  /// counted by pages, what it stores by what has changed. Called in the signal's handler.
  touch touched(const fault&, address instruction, address stack_pointer);
  /// The one instruction is over that `touch::let_step` opened pages for.
  void stepped();
  /// Where the program called what has been interrupted: the first place on the stack that lies in its code; 0 if none does.
  [[nodiscard]] static site calling_site(address stack_pointer);

 private:
  [[nodiscard]] bool watches_reads() const;
  [[nodiscard]] std::uint64_t bytes_shown_by(address page) const;

  arena& memory_;
  const memory_map& map_;
  address heap_;
  const host_ranges& handed_;
  host_work& work_;
  managed_accesses& noted_;
  std::array<address, 8> pages_of_step_{};  // open for one instruction of host code
  std::size_t pages_of_step_count_ = 0;
};

}  // namespace simtlab::emulator

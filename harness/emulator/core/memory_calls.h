// The system calls with which the emulator changes memory of its own while a program runs: all of them from one place in its
// code, so that an embedder's filter of system calls can let these pass and refuse the same from anywhere else.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simtlab::emulator {

/// The unit of all of these: of places, and of what a length is rounded up to.
inline constexpr std::size_t page_bytes = 4096;

/// As mmap, private, anonymous and at a fixed place; false when the system refuses.
bool map_fixed(void* at, std::size_t bytes, int protection);
/// What is closed (closed_memory.h) none of these changes: the process ends.
bool protect(void* at, std::size_t bytes, int protection);
/// The same for memory that is closed: for who opens it.
bool protect_closable(void* at, std::size_t bytes, int protection);
/// Zeroes the pages and gives their memory back to the system.
void discard(void* at, std::size_t bytes);

/// Where these calls return to: what a filter sees as the instruction pointer. No other code has to change that memory.
[[nodiscard]] std::uintptr_t memory_calls_return_to();

}  // namespace simtlab::emulator

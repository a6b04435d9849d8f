// The stand-in's own account.
#pragma once

#include <cstdint>

namespace simtlab::plain {

struct account {
  std::uint64_t fail_call = 0;  ///< 1-based; 0: none
  std::uint64_t calls = 0;
  int injected_error = 0;
  std::uint64_t allocated = 0, freed = 0, allocated_bytes = 0, live_bytes = 0, bytes_to_device = 0, bytes_to_host = 0;
};
account& the_account();

/// A kernel's own word that it stored so many bytes into an argument.
void record_write(const char* variable, std::uint64_t bytes);
std::uint64_t take_recorded_write(const char* variable);

}  // namespace simtlab::plain

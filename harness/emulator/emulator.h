// The emulator's control panel: what a program that embeds it (the runner, a test, simtcc's start-up code) may do.
// Student code never includes this; it sees `include/cuda_runtime.h` alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "report/report.h"

namespace simtlab::emulator {

struct options {
  unsigned workers = 1;  ///< host threads that run blocks; results do not depend on it
  bool counters = true;
  bool checks = true;  ///< races, bounds, initialisation, barriers
  /// The watchdog: accesses and basic blocks that one thread may run through in one launch.
  std::uint64_t events_per_thread = 200'000'000;
  /// Makes the n-th fallible CUDA API call (1-based: allocations, copies, sets, launches) fail; 0 = none.
  std::uint64_t fail_api_call = 0;
  std::map<rule, severity> severities;  ///< overrides of default_severity
};

/// Takes effect at the next launch. Call from the host thread, outside any kernel.
void configure(const options&);

/// Counters and findings will speak of this device allocation, or of the device memory that is copied from or to this
/// host range, as `name`. `address` is the start of the range. May be called before or after the copy.
void name_memory(const void* address, std::size_t bytes, std::string_view name);

/// Everything since the program began or since the last call, and a fresh start: counts zero, findings forgotten.
/// Device memory that is still allocated is reported as leaked if `final`.
[[nodiscard]] report take_report(bool final = false);

/// Called once when a fault ends the program (a segmentation fault in host code, say), from a context in which normal
/// code may run, with the report so far; the process ends with exit code 70 when it returns.
void on_fatal(void (*handler)(const report&));

}  // namespace simtlab::emulator

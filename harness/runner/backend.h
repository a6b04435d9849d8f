// What the runner asks of a backend beyond the CUDA runtime API itself. Memory, copies and events go through that API in
// every backend; the emulator adds counters, names and planted faults, a GPU adds the need for guard bands and a clock.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "protocol/measurement.h"
#include "protocol/request.h"

namespace simtlab {

class backend {
 public:
  backend() = default;
  backend(const backend&) = delete;  // one per process, known to a fault handler
  backend& operator=(const backend&) = delete;
  virtual ~backend() = default;

  [[nodiscard]] virtual environment describe(const case_request&) = 0;

  /// Poisoned bytes on each side of a device buffer. 0 where the backend itself sees every access.
  [[nodiscard]] virtual std::size_t guard_bytes() const = 0;
  /// Whether fresh device memory must be filled with poison. A backend that knows which bytes were written fills it
  /// itself and must not be told that they were.
  [[nodiscard]] virtual bool fills_fresh_memory() const = 0;

  /// Counters and findings speak of this device memory, or of what is copied from or to this host range, as `name`.
  virtual void name_memory(const void* address, std::size_t bytes, std::string_view name) = 0;

  /// Called once, before the entry.
  virtual void begin(const case_request&) = 0;
  /// What happened since `begin`, or since the last call. `final`: device memory that is still allocated has leaked.
  [[nodiscard]] virtual measurements take(bool final) = 0;

  /// `f` gets what is known when a fault ends the program; the process ends when it returns.
  virtual void on_fatal(std::function<void(measurements)> f) = 0;

  /// GB/s (10^9 bytes read plus written) of a device-to-device copy; nothing where time means nothing.
  [[nodiscard]] virtual std::optional<double> copy_gigabytes_per_second() = 0;
};

/// Each backend's library defines it.
[[nodiscard]] backend& this_backend();

}  // namespace simtlab

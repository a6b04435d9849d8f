// What the runner asks of a backend beyond the CUDA runtime API itself. Memory, copies and events go through that API in
// every backend; the emulator adds counters, names and planted faults, a GPU adds the need for guard bands and a clock.
#pragma once

#include <cstddef>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/measurement.h"
#include "protocol/request.h"
#include "runner/system_call_filter.h"

namespace simtlab {

/// What host code of the submission did with data of the device, and where it did so first.
struct host_share {
  std::uint64_t bytes = 0;
  std::string file;
  int line = 0;  ///< 0: unknown
};

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

  /// Hands memory to the submission: host code may access it if it is host memory, and what it holds now counts as given.
  /// Counters and findings speak of it, or of the device memory that is copied from or to it, as `name`.
  virtual void name_memory(const void* address, std::size_t bytes, std::string_view name) = 0;

  /// Whether a process of its own costs a case next to nothing. A GPU's takes longer to start than most cases to run.
  [[nodiscard]] virtual bool starts_quickly() const { return false; }

  // The submission's host code shares the runner's process. Where a backend sees its accesses it keeps them to memory of
  // its own, of the entry's arguments and of what it is given for them.
  /// Called before any code of the submission.
  virtual void guard_memory() {}
  /// Called when the runner's own work begins, or the submission's: what is allocated from now on is not the other's.
  virtual void runner_begins() {}
  virtual void submission_begins() {}
  /// Called before any code of the submission, when nothing will be opened any more: what a filter of system calls has to
  /// know of the backend, whose own part it makes ready. Nothing where nobody has a list of the calls that it needs.
  [[nodiscard]] virtual std::optional<process_outline> outline(const case_request&) { return std::nullopt; }
  /// Memory that host code may access until the last `take`, aligned to pages.
  [[nodiscard]] virtual void* memory_for_submission(std::size_t bytes) {
    return ::operator new (bytes, std::align_val_t{4096});
  }
  virtual void release_for_submission(void* begin, std::size_t /*bytes*/) {
    ::operator delete (begin, std::align_val_t{4096});
  }
  /// Calls the entry, and only that. What the entry must not change cannot be changed by the caller meanwhile, either.
  virtual int run_submission(const std::function<int()>& entry) { return entry(); }

  /// Called once, before the entry.
  virtual void begin(const case_request&) = 0;
  /// Called before each round, from 0 on. A backend that chooses the order of threads takes another one in every other
  /// round: what one order hides, of a race or a missing fence, the opposite one shows.
  virtual void begin_round(unsigned /*number*/) {}
  /// What happened since `begin`, or since the last call. `final`: device memory that is still allocated has leaked.
  [[nodiscard]] virtual measurements take(bool final) = 0;

  /// Bytes of an argument whose value host code has put there: copied from host memory, set to anything but zero, or, in
  /// host memory, stored instead of copied from what kernels have made. Nothing where the backend can't tell.
  [[nodiscard]] virtual host_share stored_by_host(const void*, std::size_t) const { return {}; }
  /// Bytes of device memory that host code has copied or read since the last `take`.
  [[nodiscard]] virtual host_share read_by_host() const { return {}; }

  /// `f` gets what is known when a fault ends the program; the process ends when it returns.
  virtual void on_fatal(std::function<void(measurements)> f) = 0;

  // For timed calls.
  /// Mixes two arrays in device memory into a third as `mix_values` does (timing/fresh_values.h); false where the backend
  /// leaves that to the host.
  [[nodiscard]] virtual bool mix(void* /*to*/, const void* /*first*/, const void* /*second*/, std::size_t /*elements*/,
                                 std::size_t /*element_bytes*/, std::uint64_t /*key*/, std::uint64_t /*argument*/) {
    return false;
  }
  /// So that no call finds in a cache what the call before, or its preparation, has left there.
  virtual void flush_caches() {}
  /// Starts work that keeps all of the device for as long as the host takes to launch an entry's kernels.
  virtual void hold_device() {}
};

/// Each backend's library defines it.
[[nodiscard]] backend& this_backend();

}  // namespace simtlab

// When copies and kernels would run, by a model that docs/unified-memory.md states: one engine copies to the device, one to the
// host, and one runs kernels; the bus and the device's memory have a speed; all else takes no time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "report/report.h"

namespace simtlab::emulator {

class timeline {
 public:
  static constexpr double bus_bytes_per_ns = 25, memory_bytes_per_ns = 400, launch_ns = 2000;
  static constexpr std::size_t most_operations = 4096;

  static double over_the_bus(std::uint64_t bytes) { return static_cast<double>(bytes) / bus_bytes_per_ns; }
  static double on_the_device(std::uint64_t bytes) { return static_cast<double>(bytes) / memory_bytes_per_ns; }

  /// An operation that may begin at `ready` waits for its engine; gives when it ends.
  double run(timed_operation, double ready, double takes);
  [[nodiscard]] const std::vector<timed_operation>& operations() const { return operations_; }
  /// Of copies in streams that the program created: all bytes, and those that cross while something else is under way.
  struct overlap {
    std::uint64_t bytes = 0, overlapped = 0;
  };
  [[nodiscard]] overlap overlapped_copies() const;
  void forget() { operations_.clear(); }

 private:
  std::array<double, timed_operation_kinds> free_at_{};
  std::vector<timed_operation> operations_;
};

}  // namespace simtlab::emulator

// What the emulator says of a piece of host code that launches kernels.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "emulator.h"

namespace simtlab::emulator::claims {

class measurement {
 public:
  /// Runs `work`, with nothing left over from what ran before.
  template <class Work>
  explicit measurement(Work work) {
    static_cast<void>(take_report());
    work();
    report_ = take_report();
  }

  [[nodiscard]] const report& whole() const { return report_; }
  /// Sums over all launches and lines. An empty variable: of all in that space.
  [[nodiscard]] request_counters of(memory_space, access, std::string_view variable) const;
  [[nodiscard]] request_counters reads_of(std::string_view array) const;
  [[nodiscard]] request_counters writes_of(std::string_view array) const;
  [[nodiscard]] request_counters shared_reads_of(std::string_view array) const;
  [[nodiscard]] request_counters shared_writes_of(std::string_view array) const;
  /// Shared bytes of one block of the first launch, static and dynamic.
  [[nodiscard]] std::uint64_t shared_bytes_per_block() const;
  [[nodiscard]] std::vector<finding> findings(rule) const;
  [[nodiscard]] bool silent() const { return report_.findings.empty(); }

 private:
  report report_;
};

/// Both places of the finding, in this order or the other, are these lines.
[[nodiscard]] bool is_between(const finding&, int one_line, int other_line);

}  // namespace simtlab::emulator::claims

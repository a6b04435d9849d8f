// What orders the threads of a block of machine code, told to the check of races as g++'s code tells it (scheduler/worker.h): fences,
// atomic operations, volatile accesses, atomic loads and stores; and plain loads that may be a compare-and-swap's first guess.
//
// A releasing operation stands behind a MEMBAR, an acquiring one before a CCTL.IVALL, or before a NOP where it is of block scope (found in
// what nvcc makes of cuda::atomic for sm_75, sm_80 and sm_90). A thread that looks again and again at what does not change lets others run.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "checks/races/cas_probe_reads.h"
#include "checks/races/vector_clock/happens_before.h"
#include "runtime/machine_kernels.h"
#include "sass/order_follower.h"
#include "scheduler/launch.h"

namespace simtlab::emulator {

/// Of one running block after the other.
class machine_order final : public sass::order_follower {
 public:
  /// Both must outlive it.
  machine_order(const machine_kernel& kernel, running_launch& launch) : kernel_(kernel), launch_(launch) {}

  /// Whether there is anything to follow in this launch.
  [[nodiscard]] bool is_needed() const {
    return launch_.order != nullptr || (launch_.probes != nullptr && kernel_.may_order);
  }
  void block_begins(std::uint64_t index, unsigned threads);
  void block_ends();
  /// Whether a thread of the block has changed something, or found anything new, since this was asked last.
  [[nodiscard]] bool takes_part() { return std::exchange(has_changed_, false); }

  /// Where a thread of the block looks in vain, and which one; {0, 0}: none does.
  [[nodiscard]] std::pair<site, std::uint32_t> looking() const;

  void fence(site, std::uint32_t warp, lane_mask, bool in_block) override;
  void passes_nop(site, std::uint32_t warp, lane_mask) override;
  void begins(const sass::followed_access&) override;
  bool is_made(const sass::followed_access&) override;

 private:
  /// What lanes have found at a place that they look at.
  struct look {
    site where = 0;
    lane_mask lanes = 0;
    const std::byte* at = nullptr;
    std::uint64_t value = 0;
    friend bool operator==(const look&, const look&) = default;
  };
  /// Of a warp, since it has done anything else.
  struct looks {
    std::vector<look> found;
    unsigned in_vain = 0;       ///< how many in a row have found nothing new
    lane_mask may_acquire = 0;  ///< by an operation of block scope
  };

  [[nodiscard]] sass::strong_access strength_of(const sass::followed_access&) const;
  [[nodiscard]] sync_location location_of(const sass::followed_access&, unsigned lane) const;
  void see(unsigned thread, std::optional<std::uint32_t> mark);
  void order_access(const sass::followed_access&, unsigned lane, unsigned thread, bool is_volatile);
  void follow_guess(const sass::followed_access&);
  /// Whether the warp has looked in vain often enough.
  bool looks_in_vain(const sass::followed_access&, bool changes);
  void forget_looks(std::uint32_t warp);

  const machine_kernel& kernel_;
  running_launch& launch_;
  block_order* order_ = nullptr;  // null where nothing but barriers orders threads
  std::uint64_t index_ = 0;
  std::vector<pending_probe> probes_;  // by thread
  std::vector<looks> looks_;           // by warp
  bool has_changed_ = false;
};

}  // namespace simtlab::emulator

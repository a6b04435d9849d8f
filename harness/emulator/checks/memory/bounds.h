// Does every lane access memory that the program owns, at an address its width allows?
//
// Rules: out_of_bounds (not inside one live region: past a variable's end or before its begin, with the index that it
// would be), use_after_free, misaligned (CUDA C++ Programming Guide, "Device Memory Accesses": any access must be aligned
// to its size of 1, 2, 4, 8 or 16 bytes), device_access_to_host, invalid_address (null, or nowhere near anything). Each
// __shared__ variable is a region of its own, so running from one array into the next is seen.
#pragma once

#include "checks/access_pattern.h"
#include "core/heap_blocks.h"
#include "core/memory_map.h"
#include "observers/observer.h"
#include "report/finding_log.h"

namespace simtlab::emulator {

class bounds {
 public:
  bounds(const memory_map& map, finding_log& findings) : map_(map), findings_(findings) {}

  void block_begins(const block_info& b) {
    block_ = &b;
    barriers_ = grid_barriers_ = 0;
  }
  void barrier(const barrier_event& e) {
    ++barriers_;
    grid_barriers_ += e.of_grid ? 1 : 0;
  }
  void note_frees(const heap_frees&);

  /// The lanes whose access is in order; the others are reported.
  lane_mask check(const warp_request& r, const access_pattern& pattern) {
    if (r.variable != 0 && pattern.aligned) [[likely]] {
      const memory_region& region = map_.region(r.variable);
      const address begin = first_address(r) + static_cast<address>(pattern.low);
      if (region.live && region.contains(begin, static_cast<std::uint64_t>(pattern.high - pattern.low)) &&
          (region.blocks == nullptr || are_in_blocks(r, *region.blocks)))
        return r.active;
    }
    return check_lanes(r);
  }

 private:
  using explanation = std::string(const warp_request&, address, const memory_region*, const launch_info&);

  lane_mask check_lanes(const warp_request&);
  /// Whether each lane's access lies in one block of the heap of kernels that nobody has freed.
  [[nodiscard]] bool are_in_blocks(const warp_request&, const heap_blocks&) const;
  [[nodiscard]] heap_moment now(std::uint32_t thread) const {
    return {block_->index, static_cast<std::uint32_t>(block_->launch->ordinal), barriers_, grid_barriers_, thread};
  }
  [[nodiscard]] bool is_freed(const memory_region&, std::uint32_t thread) const;
  /// `region` is what the finding is about, null if nothing is near.
  void report(const warp_request&, unsigned lane, rule, const memory_region* region, explanation*);
  void report_outside(const warp_request&, unsigned lane);

  const memory_map& map_;
  finding_log& findings_;
  const block_info* block_ = nullptr;
  std::uint32_t barriers_ = 0, grid_barriers_ = 0;
};

}  // namespace simtlab::emulator

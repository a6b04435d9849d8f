// What each thread accessed between which barriers, access by access: for tables of launches so small that a person reads all
// of it (options::recorded_accesses).
#pragma once

#include <functional>
#include <vector>

#include "core/memory_map.h"
#include "observers/observer.h"
#include "report/report.h"

namespace simtlab::emulator {

class access_recorder final : public observer {
 public:
  /// Keeps the first `most` accesses. Local memory is a thread's own affair and left out.
  explicit access_recorder(std::size_t most) : most_(most) {}

  void launch_begins(const launch_info&) override { seen_.clear(); }
  void block_begins(const block_info& b) override {
    block_ = b.index;
    epoch_ = 0;
  }
  void request(const warp_request&) override;
  void barrier(const barrier_event&) override { ++epoch_; }

  /// Appends what it has recorded of the launch.
  void add_to(std::vector<recorded_access>&, const std::function<source_line(site)>& line_of,
              const memory_map& names) const;

 private:
  struct entry {
    std::uint64_t block = 0, epoch = 0;
    std::uint32_t thread = 0, width = 0;
    site where = 0;
    memory_space space{};
    access kind{};
    variable_id variable = 0;
    address at = 0;
    bool stores_zero = false;
  };
  std::vector<entry> seen_;
  std::size_t most_ = 0;
  std::uint64_t block_ = 0, epoch_ = 0;
};

/// By block, epoch and thread; what one thread made in one epoch stays in its order.
void put_in_order(std::vector<recorded_access>&);

}  // namespace simtlab::emulator

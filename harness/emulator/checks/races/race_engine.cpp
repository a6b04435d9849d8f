#include "checks/races/race_engine.h"

#include "checks/races/barrier_epochs/barrier_epoch_races.h"
#include "checks/races/vector_clock/vector_clock_races.h"
#include "checks/shared_state.h"

namespace simtlab::emulator {

namespace {

/// Of launches in which nobody follows what orders threads.
class no_races final : public race_engine {
 public:
  void launch_begins(const launch_info&) override {}
  void block_begins(const block_info&) override {}
  void check(const warp_request&, const access_pattern&, lane_mask) override {}
  void barrier(site) override {}
  void warp_primitive(const warp_primitive_event&) override {}
  void launch_ends() override {}
  [[nodiscard]] bool is_written_by_others(address, std::uint64_t, std::uint64_t) override { return true; }
};

}  // namespace

std::unique_ptr<race_engine> make_race_engine(shared_state& shared, worker_memory& memory, finding_log& findings) {
  if (!shared.looks_for_races()) return std::make_unique<no_races>();
  if (shared.order() != nullptr) return std::make_unique<vector_clock_races>(shared, findings);
  return std::make_unique<barrier_epoch_races>(shared, memory, findings);
}

}  // namespace simtlab::emulator

// The checks of memory accesses of one worker, in the order in which each relies on the one before: bounds, initialisation,
// races.
#pragma once

#include <memory>

#include "checks/memory/bounds.h"
#include "checks/memory/initialisation.h"
#include "checks/memory/local_memory.h"
#include "checks/memory/pending_copies.h"
#include "checks/memory/stale_texels.h"
#include "checks/races/race_engine.h"
#include "checks/shared_state.h"
#include "observers/observer.h"

namespace simtlab::emulator {

class access_checks final : public observer {
 public:
  access_checks(shared_state& shared, finding_log& findings);
  ~access_checks() override;
  access_checks(const access_checks&) = delete;  // it has borrowed the worker's memory
  access_checks& operator=(const access_checks&) = delete;

  void launch_begins(const launch_info&) override;
  void block_begins(const block_info&) override;
  void request(const warp_request&) override;
  void barrier(const barrier_event& e) override {
    bounds_.barrier(e);
    initialisation_.barrier();
    stale_.barrier();
    const site where = e.arrivals.empty() ? 0 : e.arrivals.front().where;
    races_->barrier(where);
  }
  void block_ends() override { initialisation_.barrier(); }
  void warp_primitive(const warp_primitive_event& e) override {
    if (e.operation == warp_operation::syncwarp) initialisation_.orders_lanes(e.warp, e.arrived);
    races_->warp_primitive(e);
  }
  void order(const warp_marks& m) override { races_->order(m); }
  void copies(const copy_step& s) override {
    copies_.note(s, [this](const warp_request& written) {
      races_->check(written, memory_->patterns.of(written), written.active);
    });
  }
  void frees(const heap_frees& f) override { bounds_.note_frees(f); }
  void launch_ends() override;

 private:
  void fetch(const warp_request&);

  shared_state& shared_;
  std::unique_ptr<worker_memory> memory_;
  block_info block_;
  bounds bounds_;
  local_memory local_;
  initialisation initialisation_;
  stale_texels stale_;
  pending_copies copies_;
  std::unique_ptr<race_engine> races_;
};

}  // namespace simtlab::emulator

// What the observers of all workers share, and what outlives a launch. The runtime owns one.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "checks/memory/initialised_bytes.h"
#include "checks/races/cas_probe_reads.h"
#include "checks/races/shadow/grid_shadow.h"
#include "checks/races/shadow/interned_histories.h"
#include "checks/races/vector_clock/access_records.h"
#include "checks/races/vector_clock/happens_before.h"
#include "checks/races/volatile_sites.h"
#include "checks/worker_memory.h"
#include "core/memory_map.h"
#include "observers/observer.h"

namespace simtlab::emulator {

class shared_state {
 public:
  /// `map` must outlive this object.
  explicit shared_state(const memory_map& map) : map_(map) {}

  /// Between launches only, before the workers' observers hear of the launch.
  /// `ordered`: the program uses fences, so that more than barriers may order its threads.
  void launch_begins(const launch_info&, bool ordered = false) {
    sets_.restart();
    blocks_.launch_begins();
    probes_.launch_begins();
    is_ordered_ = ordered;
    if (!ordered) return;
    order_.launch_begins();
    records_.wipe();
  }

  /// The runtime marks what the host copies and sets, and forgets what is freed.
  [[nodiscard]] initialised_bytes& initialised() { return initialised_; }
  /// One bit a byte: its value is host code's own, not a kernel's.
  [[nodiscard]] initialised_bytes& stored_by_host() { return stored_by_host_; }
  [[nodiscard]] const memory_map& map() const { return map_; }
  [[nodiscard]] interned_histories& sets() { return sets_; }
  [[nodiscard]] grid_shadow& blocks() { return blocks_; }
  [[nodiscard]] cas_probe_reads& probes() { return probes_; }
  [[nodiscard]] volatile_sites& volatiles() { return volatiles_; }
  /// Null in launches that nothing but barriers order.
  [[nodiscard]] happens_before* order() { return is_ordered_ ? &order_ : nullptr; }
  /// Global memory, in ordered launches.
  [[nodiscard]] access_records& records() { return records_; }

  /// Tables for one worker; given back when the launch is over.
  [[nodiscard]] std::unique_ptr<worker_memory> borrow() {
    const std::lock_guard lock(lending_);
    if (idle_.empty()) return std::make_unique<worker_memory>(sets_);
    auto memory = std::move(idle_.back());
    idle_.pop_back();
    return memory;
  }
  void give_back(std::unique_ptr<worker_memory> memory) {
    const std::lock_guard lock(lending_);
    idle_.push_back(std::move(memory));
  }

 private:
  const memory_map& map_;
  initialised_bytes initialised_, stored_by_host_;
  interned_histories sets_;
  grid_shadow blocks_{sets_};
  cas_probe_reads probes_;
  volatile_sites volatiles_;
  bool is_ordered_ = false;
  happens_before order_;
  access_records records_;
  std::mutex lending_;
  std::vector<std::unique_ptr<worker_memory>> idle_;
};

}  // namespace simtlab::emulator

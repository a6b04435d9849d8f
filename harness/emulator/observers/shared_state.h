// What the observers of all workers share, and what outlives a launch. The runtime owns one.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "core/memory_map.h"
#include "observers/access_records.h"
#include "observers/access_sets.h"
#include "observers/block_histories.h"
#include "observers/first_guesses.h"
#include "observers/initialised_bytes.h"
#include "observers/observer.h"
#include "observers/sync_order.h"
#include "observers/worker_memory.h"

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
    guesses_.launch_begins();
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
  [[nodiscard]] access_sets& sets() { return sets_; }
  [[nodiscard]] block_histories& blocks() { return blocks_; }
  [[nodiscard]] first_guesses& guesses() { return guesses_; }
  /// Null in launches that nothing but barriers order.
  [[nodiscard]] sync_order* order() { return is_ordered_ ? &order_ : nullptr; }
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
  access_sets sets_;
  block_histories blocks_{sets_};
  first_guesses guesses_;
  bool is_ordered_ = false;
  sync_order order_;
  access_records records_;
  std::mutex lending_;
  std::vector<std::unique_ptr<worker_memory>> idle_;
};

}  // namespace simtlab::emulator

// The host threads that run a launch's blocks beside the one that launches. They begin once the launch has turned out to be
// long: to begin one takes ten times as long as an empty launch.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "scheduler/launch.h"

namespace simtlab::emulator {

class other_threads {
 public:
  static constexpr std::chrono::microseconds long_launch{100};

  /// At most `most` of them, each of which calls `run`, begin when the launch has taken `patience`.
  other_threads(running_launch& launch, unsigned most, std::function<void()> run,
                std::chrono::nanoseconds patience = long_launch)
      : launch_(launch), most_(most), run_(std::move(run)), long_at_(std::chrono::steady_clock::now() + patience) {}
  ~other_threads() { join(); }
  other_threads(const other_threads&) = delete;  // the launch knows its address
  other_threads& operator=(const other_threads&) = delete;

  /// While the launch runs, on any of its threads. Before the others have begun there is one.
  void begin_if_long() {
    if (!have_begun_ && std::chrono::steady_clock::now() >= long_at_) begin();
  }
  /// When the launching thread has no block left.
  void join() {
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }

 private:
  /// Not more than there are blocks that nobody has taken.
  void begin() {
    have_begun_ = true;
    const std::uint64_t blocks = launch_.info.grid.count(), taken = launch_.order_of_blocks.taken();
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(most_, blocks - std::min(blocks, taken)));
    launch_.threads += static_cast<int>(count);
    threads_.reserve(count);
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back(run_);
  }

  running_launch& launch_;
  unsigned most_;
  std::function<void()> run_;
  std::chrono::steady_clock::time_point long_at_;
  bool have_begun_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace simtlab::emulator

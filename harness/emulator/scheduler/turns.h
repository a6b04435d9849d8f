// The turns in which a launch's blocks begin. Several host threads take them one after the other; what a block prints waits for the
// blocks of earlier turns, so that it comes in the order in which one thread would print it.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace simtlab::emulator {

class turns {
 public:
  /// The next turn, from 0 on. From now on it is under way on the calling thread, in the place of the one before.
  std::uint64_t take();
  /// The calling thread's turn has ended, or its block was set aside and waits for another block.
  void leave();
  /// How many were taken.
  [[nodiscard]] std::uint64_t taken() const;

  /// Returns once no turn before the calling thread's is under way; at once on a thread that has none.
  static void await_earlier();

 private:
  [[nodiscard]] bool is_earliest(std::uint64_t turn) const;

  mutable std::mutex guard_;
  std::uint64_t next_ = 0;
  std::vector<std::uint64_t> under_way_;
};

}  // namespace simtlab::emulator

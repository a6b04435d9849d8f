// The memory of the stacks of a worker's lanes. They lie side by side, each above a page that nobody may touch. Of a stack
// its top is open; the rest opens with the first access, so that what no lane has used need not be wiped.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/frame_records.h"
#include "core/lane_stacks.h"
#include "scheduler/lane.h"

namespace simtlab::emulator {

class stack_memory {
 public:
  static constexpr std::size_t bytes_of_one = 256 * 1024;
  static constexpr std::size_t guard_bytes = 4096;

  /// Room for so many lanes' stacks, all closed. Throws `std::bad_alloc`.
  explicit stack_memory(std::size_t lanes);
  ~stack_memory();
  stack_memory(const stack_memory&) = delete;
  stack_memory& operator=(const stack_memory&) = delete;

  /// Before a launch: the first `threads` of `lanes` have their stacks, open at the top alone. Throws `std::bad_alloc`.
  void prepare(lane* lanes, std::size_t threads);
  /// Whether `a` lies in the part of a lane's stack that was closed, and is open now.
  bool open(lane* lanes, address a);
  /// Sets all bits of what a lane of the last block has left, as in shared memory, but for `unused` bytes at the top; memory
  /// that few lanes touch is given back.
  static void poison(lane&, std::size_t unused);
  /// Whether `a` lies in the guard page below the lane's stack.
  [[nodiscard]] static bool is_guard(const lane&, address a);

  [[nodiscard]] lane_stacks places() const {
    return {reinterpret_cast<address>(memory_), bytes_of_one + guard_bytes, lanes_};
  }
  [[nodiscard]] address_range all() const { return {places().begin, places().begin + bytes()}; }
  /// Where the records of the frames on them lie.
  [[nodiscard]] const recorded_stack& recorded() const { return records_.stack(); }

 private:
  [[nodiscard]] std::size_t bytes() const { return lanes_ * (bytes_of_one + guard_bytes); }

  std::uint32_t lanes_;
  char* memory_;
  frame_records records_;
  std::size_t mapped_ = 0;  // lanes whose stack is accessible
};

}  // namespace simtlab::emulator

// Where functions of the program note what their frames must still hold when they return: in memory of the emulator's, which
// no store of the program's reaches. What a frame's record is and who looks at it: runtime/frame_checks.cpp.
#pragma once

#include <cstdint>

#include "core/types.h"

namespace simtlab::emulator {

/// Stacks that lie side by side, and where the records of the frames on them are. Frames begin at least 16 bytes apart, and a
/// record has 64 bytes: that of the frame whose return address lies at `a` is at `records + (a - begin) * 4`.
struct recorded_stack {
  address begin = 0;
  std::uint64_t bytes = 0;  ///< 0: no frame has a record
  address records = 0;
};

/// Memory for the records of all frames that these stacks have room for; only what is touched takes any. It stays open while
/// functions of the program run, which write their records themselves; those of host code close while it calls a library
/// (runtime/library_frames.h).
class frame_records {
 public:
  /// `more`: bytes behind the records, in pages of their own.
  frame_records(address begin, std::uint64_t bytes, std::uint64_t more = 0);
  ~frame_records();
  frame_records(const frame_records&) = delete;  // it owns the memory
  frame_records& operator=(const frame_records&) = delete;

  [[nodiscard]] const recorded_stack& stack() const { return stack_; }
  [[nodiscard]] void* more() const;

 private:
  recorded_stack stack_;
  void* memory_ = nullptr;
  std::uint64_t more_ = 0;
};

}  // namespace simtlab::emulator

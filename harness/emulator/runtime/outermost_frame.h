// Which function of the program's the embedder or the emulator has called: what lies above its frame on the stack belongs to them.
#pragma once

#include "core/types.h"

namespace simtlab::emulator {

/// While it exists, the next function of the program's that begins on this thread is the outermost one; afterwards that of before
/// is, or the next one if there was none.
class outermost_frame {
 public:
  outermost_frame();
  ~outermost_frame();
  outermost_frame(const outermost_frame&) = delete;  // it restores
  outermost_frame& operator=(const outermost_frame&) = delete;

  /// The next function that begins is the outermost one.
  static void await();
  /// That function's return address lies at `place`.
  static void begins_at(address place);

 private:
  address before_;
};

}  // namespace simtlab::emulator

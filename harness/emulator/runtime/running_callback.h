// Host code that a stream calls.
#pragma once

#include <mutex>

#include "runtime/device.h"
#include "runtime/emulator_call.h"

namespace simtlab::emulator {

/// While it exists, host code runs in its stream's turn: what came before in the stream has ended for it.
class running_callback {
 public:
  running_callback() { count(1); }
  ~running_callback() { count(-1); }
  running_callback(const running_callback&) = delete;  // it counts
  running_callback& operator=(const running_callback&) = delete;

 private:
  static void count(int by) {
    const emulator_call takes_what_was_noted;
    device& d = device::instance();
    const std::lock_guard guard(d.lock);
    d.look_for_host_stores();
    d.callbacks += static_cast<unsigned>(by);
  }
};

}  // namespace simtlab::emulator

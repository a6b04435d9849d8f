// Time between two CUDA events, with all of the device's work inside and the host's launching outside.
//
// An event that is recorded on an idle device is over at once, and what the host takes to launch the first kernel would
// count: some microseconds, and others whenever the host is busy. So something of ours holds the device until the entry
// has launched its work; the opening event waits behind it.
//
// The closing event is recorded as soon as the entry has returned, in the legacy default stream, which waits for every
// stream but those that were created non-blocking. Work in such a stream would outlast the event: so the host joins the
// whole device after it, and where that takes longer than joining an idle device, all of it belongs to the call, and a few
// microseconds more for what the host's clock cannot see of it.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <functional>

namespace simtlab {

class event_timer {
 public:
  /// `hold` starts work in the legacy default stream that keeps all of the device for some time.
  explicit event_timer(std::function<void()> hold);
  ~event_timer();
  event_timer(const event_timer&) = delete;  // it owns two events
  event_timer& operator=(const event_timer&) = delete;

  void start();
  /// Milliseconds since `start`. Joins the device.
  double stop();
  /// The same span by the host's clock, with the time for which the device was held.
  [[nodiscard]] double host_milliseconds() const { return host_milliseconds_; }

 private:
  [[nodiscard]] double join();  // milliseconds that it took

  std::function<void()> hold_;
  cudaEvent_t begin_{}, end_{};
  double idle_join_ = 0;
  double host_milliseconds_ = 0;
  std::chrono::steady_clock::time_point host_begin_;
};

}  // namespace simtlab

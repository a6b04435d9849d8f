// Plain timing between two CUDA events.
#pragma once

#include <cuda_runtime.h>

namespace simtlab {

class event_timer {
 public:
  event_timer();
  ~event_timer();
  event_timer(const event_timer&) = delete;  // it owns two events
  event_timer& operator=(const event_timer&) = delete;

  void start();
  /// Milliseconds since `start`, of the work in the default stream. Joins the device.
  double stop();

 private:
  cudaEvent_t begin_{}, end_{};
};

}  // namespace simtlab

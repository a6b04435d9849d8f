// Keeps the whole GPU while the host launches what is to be timed.
//
// Every thread that a multiprocessor can hold is ours meanwhile, so that a kernel in a stream of the submission's own, which
// waits for no other stream, cannot begin before the clock does. It ends by itself: an entry that waits for the device in
// the middle of its work only waits that much longer.
#pragma once

namespace simtlab {

class device_hold {
 public:
  /// Throws cuda_failure.
  device_hold();
  /// Starts it in the legacy default stream.
  void run() const;

 private:
  unsigned blocks_ = 0;
  long long cycles_ = 0;
};

}  // namespace simtlab

// Whose turn it is on the GPU. Times are taken by one process at a time (two at once were seen to slow each other 5.7-fold);
// everything else shares the GPU meanwhile it is not being timed. File locks, which the system gives up when their holder
// ends, however it ends.
#pragma once

#include <chrono>
#include <string>

namespace simtlab {

class gpu_lock {
 public:
  enum class use : std::uint8_t { shared, alone };

  /// Waits until it is our turn, at most so long. `gpu` is the lock's name.
  explicit gpu_lock(use, const std::string& gpu = this_gpu(),
                    std::chrono::milliseconds at_most = std::chrono::minutes(10));
  ~gpu_lock();
  gpu_lock(const gpu_lock&) = delete;  // it holds the locks
  gpu_lock& operator=(const gpu_lock&) = delete;

  /// False: somebody kept the GPU all the time, or no lock file can be made; we go on all the same, and say so.
  [[nodiscard]] bool granted() const { return granted_; }

  /// The first of CUDA_VISIBLE_DEVICES, else "0".
  [[nodiscard]] static std::string this_gpu();

 private:
  int queue_ = -1, room_ = -1;
  bool granted_ = false;
};

}  // namespace simtlab

// A launch of machine code: the blocks of the grid run on the machine (sass/block_runner.h), one after the other on each host
// thread, and observers hear the same as of a kernel that g++ compiled. A block that waits for another one is left, and others run
// meanwhile, as many as a GPU would have room for. Those of a cooperative launch begin together and take short turns: they wait for one
// another at each barrier of the grid, which is a loop that reads a word in the launch's workspace (running_launch::grid_workspace).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "observers/observer.h"
#include "runtime/machine_kernels.h"
#include "sass/launch.h"
#include "scheduler/launch.h"

namespace simtlab::emulator {

class device;

class machine_launch {
 public:
  /// The block of parameters that `function` expects, of a launch's arguments; empty after `problem` was set where they do not fit.
  static std::vector<std::byte> parameters_of(const sass::function&, const void* const* arguments,
                                              const unsigned* bytes, unsigned count, std::string& problem);

  machine_launch(const machine_kernel&, const running_launch&, std::span<const std::byte> parameters);

  [[nodiscard]] const machine_kernel& kernel() const { return kernel_; }

  /// Observers of one more block at the same time; safe to call from several threads.
  using lender = std::function<const std::vector<observer*>&()>;
  /// Runs blocks on the calling thread until none is left or the launch is stopped.
  void run(device&, running_launch&, const lender&) const;

 private:
  const machine_kernel& kernel_;
  sass::launch prepared_;
};

}  // namespace simtlab::emulator

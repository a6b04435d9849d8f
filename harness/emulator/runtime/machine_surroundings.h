// What machine code finds around it: the device's memory and its names, and the functions that CUDA offers to kernels.
#pragma once

#include "runtime/device.h"
#include "runtime/machine_kernels.h"
#include "sass/surroundings.h"

namespace simtlab::emulator {

/// Of one runner.
class machine_surroundings final : public sass::surroundings {
 public:
  machine_surroundings(device& d, const machine_kernel& kernel) : device_(d), kernel_(kernel) {}

  [[nodiscard]] address_range reachable(address a) override;
  [[nodiscard]] sass::memory_place place_of(address a) override;
  [[nodiscard]] sass::memory_place shared_place_of(address offset) override;
  std::uint64_t call(const sass::device_call&) override;
  void fetch(const sass::texture_fetch&, sass::fetched_texels&) override;

 private:
  device& device_;
  const machine_kernel& kernel_;
};

}  // namespace simtlab::emulator

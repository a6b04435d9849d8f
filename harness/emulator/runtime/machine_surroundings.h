// What machine code finds around it: the device's memory and its names, and the functions that CUDA offers to kernels.
#pragma once

#include <map>

#include "runtime/device.h"
#include "runtime/machine_kernels.h"
#include "sass/surroundings.h"

namespace simtlab::emulator {

/// Of one runner.
class machine_surroundings final : public sass::surroundings {
 public:
  machine_surroundings(device& d, const machine_kernel& kernel, sass::order_follower* follower)
      : device_(d), kernel_(kernel), follower_(follower) {}

  [[nodiscard]] address_range reachable(address a) override;
  [[nodiscard]] sass::memory_place place_of(address a) override;
  [[nodiscard]] sass::memory_place shared_place_of(address offset) override;
  [[nodiscard]] std::uint32_t place_of_function(std::uint32_t lower_half) override;
  std::uint64_t call(const sass::device_call&) override;
  [[nodiscard]] sass::order_follower* follower() override { return follower_; }
  void fetch(const sass::texture_fetch&, sass::fetched_texels&) override;

 private:
  device& device_;
  const machine_kernel& kernel_;
  sass::order_follower* follower_;
  std::map<std::uint32_t, std::uint32_t>
      places_;  // of functions that were asked for, by the lower half of their address
};

}  // namespace simtlab::emulator

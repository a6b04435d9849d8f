// The addresses of some of a request's lanes without the gaps.
#pragma once

#include <array>
#include <bit>

#include "observers/observer.h"

namespace simtlab::emulator {

struct packed_lanes {
  std::array<address, warp_size> at;         ///< addresses, lowest lane first
  std::array<std::uint8_t, warp_size> lane;  ///< whose they are
  unsigned count = 0;

  explicit packed_lanes(const warp_request& r) : packed_lanes(r, r.active) {}
  packed_lanes(const warp_request& r, lane_mask lanes) {
    for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
      const auto l = static_cast<std::uint8_t>(std::countr_zero(rest));
      at[count] = r.addresses[l];
      lane[count++] = l;
    }
  }
};

}  // namespace simtlab::emulator

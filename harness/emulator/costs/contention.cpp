#include "costs/contention.h"

#include <algorithm>

#include "core/mix64.h"

namespace simtlab::emulator {

void add_contention(const packed_lanes& lanes, request_counters& cost) {
  // Lanes of different addresses that meet in a slot are chained through `next`.
  constexpr std::size_t slots = 64;
  constexpr std::uint8_t none = 0xff;
  std::array<std::uint8_t, slots> first;
  std::array<std::uint8_t, warp_size> next, count;
  first.fill(none);
  unsigned highest = 0;
  for (unsigned i = 0; i < lanes.count; ++i) {
    std::uint8_t& slot = first[mix64(lanes.at[i]) % slots];
    std::uint8_t seen = slot;
    while (seen != none && lanes.at[seen] != lanes.at[i]) seen = next[seen];
    if (seen == none) {
      seen = static_cast<std::uint8_t>(i);
      next[i] = slot;
      slot = seen;
      count[i] = 0;
    }
    highest = std::max<unsigned>(highest, ++count[seen]);
  }
  cost.same_address_lanes += highest;
}

}  // namespace simtlab::emulator

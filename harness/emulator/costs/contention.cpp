#include "costs/contention.h"

#include <algorithm>

namespace simtlab::emulator {

void add_contention(const packed_lanes& lanes, request_counters& cost) {
  std::array<address, warp_size> at = lanes.at;
  std::sort(at.begin(), at.begin() + lanes.count);
  std::uint64_t highest = 0, same = 0;
  for (unsigned i = 0; i < lanes.count; ++i) {
    same = i > 0 && at[i] == at[i - 1] ? same + 1 : 1;
    highest = std::max(highest, same);
  }
  cost.same_address_lanes += highest;
}

}  // namespace simtlab::emulator

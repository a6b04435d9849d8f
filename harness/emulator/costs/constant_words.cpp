#include "costs/constant_words.h"

#include <algorithm>

namespace simtlab::emulator {

void add_constant_words(const warp_request& request, const packed_lanes& lanes, request_counters& cost) {
  std::array<address, warp_size> at = lanes.at;
  std::sort(at.begin(), at.begin() + lanes.count);
  address next = 0;  // the lowest word that is not counted yet
  for (unsigned i = 0; i < lanes.count; ++i) {
    const address low = std::max(at[i] / 4, next);
    const address high = (at[i] + request.width - 1) / 4 + 1;
    if (high > low) {
      cost.distinct_words += high - low;
      next = high;
    }
  }
}

}  // namespace simtlab::emulator

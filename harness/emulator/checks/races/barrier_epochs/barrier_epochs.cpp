#include "checks/races/barrier_epochs/barrier_epochs.h"

#include <algorithm>
#include <bit>

namespace simtlab::emulator {

void barrier_epochs::syncwarp(unsigned warp, lane_mask lanes, lane_mask present) {
  warp_state& w = warps_[warp];
  const epoch floor = std::max(w.known_until, all_known_until_);
  const bool is_partial = w.partial_since != 0 && w.partial_since >= all_known_until_;
  const epoch at = ++now_;
  if ((lanes & present) == present) {
    w.known_until = at;
    w.partial_since = 0;
    return;
  }
  if (!is_partial) {
    for (knowledge& k : w.known) k.fill(floor);
    w.partial_since = at;
  }
  knowledge joined{};
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    for (unsigned i = 0; i < warp_size; ++i) joined[i] = std::max(joined[i], w.known[lane][i]);
  }
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) joined[static_cast<unsigned>(std::countr_zero(rest))] = at;
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1)
    w.known[static_cast<unsigned>(std::countr_zero(rest))] = joined;
}

bool barrier_epochs::is_before_in_part(const warp_state& w, epoch at, lane_mask earlier, lane_mask lanes) {
  bool any = false;
  for (lane_mask now = lanes; now != 0; now &= now - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(now));
    for (lane_mask before = earlier & ~(lane_mask{1} << lane); before != 0; before &= before - 1) {
      any = true;
      if (at >= w.known[lane][static_cast<unsigned>(std::countr_zero(before))]) return false;
    }
  }
  return any;  // a lane's own accesses stay: other lanes may be unordered with them
}

}  // namespace simtlab::emulator

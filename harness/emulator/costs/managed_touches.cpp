#include "costs/managed_touches.h"

#include <bit>

namespace simtlab::emulator {

void managed_touches::request(const warp_request& r) {
  if (r.space != memory_space::global && r.space != memory_space::texture) return;
  for (lane_mask rest = r.space == memory_space::texture ? r.texels : r.active; rest != 0; rest &= rest - 1) {
    const address a = r.addresses[std::countr_zero(rest)];
    const address page = pages_.page_of(a);
    if (page == 0 || page == last_) continue;
    last_ = page;
    own_.insert(page);
  }
}

}  // namespace simtlab::emulator

#include "observers/access_recorder.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace simtlab::emulator {

void access_recorder::request(const warp_request& r) {
  if (r.space == memory_space::local) return;
  constexpr std::uint32_t own_hash = 8;  // a value of so many bytes is its own hash (core/value_hash.h)
  for (lane_mask rest = r.active; rest != 0 && seen_.size() < most_; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const bool zero = r.kind == access::write && r.values != nullptr && r.width <= own_hash && r.values[lane] == 0;
    seen_.push_back(
        {block_, epoch_, r.thread(lane), r.width, r.where, r.space, r.kind, r.variable, r.addresses[lane], zero});
  }
}

void access_recorder::add_to(std::vector<recorded_access>& all, const std::function<source_line(site)>& line_of,
                             const memory_map& names) const {
  for (const entry& e : seen_) {
    // A request names the variable of its lowest lane; a lane that leaves it is no access to it.
    const memory_region* hit = e.variable == 0 ? nullptr : &names.region(e.variable);
    if (hit != nullptr && !hit->contains(e.at, e.width))
      hit = e.space == memory_space::shared ? names.find_shared(e.at) : names.find(e.at);
    recorded_access one{.block = e.block,
                        .thread = e.thread,
                        .epoch = e.epoch,
                        .where = line_of(e.where),
                        .space = e.space,
                        .kind = e.kind,
                        .variable = {},
                        .width = e.width,
                        .stores_zero = e.stores_zero};
    if (hit != nullptr) {
      one.variable = hit->name;
      one.variable_bytes = hit->bytes;
      one.offset = e.at - hit->begin;
    }
    all.push_back(std::move(one));
  }
}

void put_in_order(std::vector<recorded_access>& all) {
  std::ranges::stable_sort(all, {}, [](const recorded_access& a) { return std::tuple(a.block, a.epoch, a.thread); });
}

}  // namespace simtlab::emulator

#include "observers/element_sampler.h"

#include <bit>

#include "core/mix64.h"

namespace simtlab::emulator {
namespace {

constexpr unsigned granule_bits = 4;  // 16 bytes are in the sample together: the widest access of one instruction

}  // namespace

void element_sampler::launch_begins(const launch_info& l) {
  chosen_ = l.grid.count() > 1 ? 1 : 0;
  halvings_ = 0;
  is_inside_ = has_seen_block_ = false;
  barriers_.clear();
  seen_.clear();
}

void element_sampler::block_begins(const block_info& b) {
  is_inside_ = b.index == chosen_;
  if (!is_inside_) return;
  has_seen_block_ = true;
  block_ = b.where;
}

bool element_sampler::is_in_sample(memory_space space, address at) const {
  const std::uint64_t hash = mix64((at >> granule_bits) * 2 + (space == memory_space::shared ? 1 : 0));
  return (hash & ((std::uint64_t{1} << halvings_) - 1)) == 0;
}

void element_sampler::thin_out() {
  while (seen_.size() > most_) {
    ++halvings_;
    std::erase_if(seen_, [this](const entry& e) { return !is_in_sample(e.space, e.at); });
  }
}

void element_sampler::request(const warp_request& r) {
  if (!is_inside_ || r.space == memory_space::local || r.is_extra_filter_tap) return;
  for (lane_mask rest = r.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (is_in_sample(r.space, r.addresses[lane]))
      seen_.push_back({barriers_.size(), r.thread(lane), r.width, r.where, r.space, r.kind, r.addresses[lane]});
  }
  thin_out();
}

void element_sampler::barrier(const barrier_event& b) {
  if (is_inside_) barriers_.push_back(b.arrivals.empty() ? 0 : b.arrivals.front().where);
}

element_sample element_sampler::resolve(const std::function<source_line(site)>& line_of,
                                        const memory_map& names) const {
  element_sample made{.block = block_, .barriers = {}, .accesses = {}};
  for (const site s : barriers_) made.barriers.push_back(line_of(s));
  for (const entry& e : seen_) {
    const memory_region* const hit = e.space == memory_space::shared ? names.find_shared(e.at) : names.find(e.at);
    if (hit == nullptr || !hit->contains(e.at, e.width)) continue;
    made.accesses.push_back({.thread = e.thread,
                             .epoch = e.epoch,
                             .where = line_of(e.where),
                             .space = e.space,
                             .kind = e.kind,
                             .variable = hit->name,
                             .variable_bytes = hit->bytes,
                             .offset = e.at - hit->begin,
                             .width = e.width});
  }
  return made;
}

}  // namespace simtlab::emulator

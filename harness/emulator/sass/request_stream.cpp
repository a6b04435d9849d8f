#include "sass/request_stream.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/request_phase.h"

namespace simtlab::emulator::sass {
namespace {

unsigned lowest_of(lane_mask lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

}  // namespace

request_stream::request_stream(std::span<observer* const> observers, surroundings& around, std::size_t instructions)
    : around_(around), observers_(observers.begin(), observers.end()), patterns_(2 * instructions) {
  for (observer* o : observers_) {
    const detail request_detail = o->request_detail(), step_detail = o->step_detail();
    if (request_detail != detail::none) of_new_requests_.push_back(o);
    if (request_detail == detail::full) of_requests_.push_back(o);
    if (request_detail == detail::aggregate) of_repetitions_.push_back(o);
    if (step_detail == detail::full) of_steps_.push_back(o);
    if (step_detail == detail::aggregate) of_step_sums_.push_back(o);
    if (o->wants_divergent_steps()) of_divergent_steps_.push_back(o);
  }
}

void request_stream::block_begins(const block_info& b) {
  stacks_ = b.stacks;
  for (observer* o : observers_) o->block_begins(b);
}

void request_stream::block_ends() {
  for (observer* o : observers_) o->block_ends();
}

void request_stream::settle(pattern& p) {
  const std::uint64_t times = std::exchange(p.repetitions, 0);
  if (times == 0) return;
  for (observer* o : of_repetitions_) o->repeated(p.pattern_id, times);
}

void request_stream::settle() {
  for (const auto& p : patterns_)
    if (p != nullptr) settle(*p);
  const std::uint64_t all = std::exchange(steps_, 0), divergent = std::exchange(divergent_steps_, 0);
  const std::uint64_t working = std::exchange(working_warps_, 0);
  const std::uint64_t of_warps = std::exchange(warp_instructions_, 0), of_lanes = std::exchange(lane_instructions_, 0);
  for (observer* o : of_step_sums_) {
    o->steps(all, divergent);
    o->busiest_warp(busiest_warp_);
    o->working_warps(working);
    o->instructions(of_warps, of_lanes);
  }
}

memory_place request_stream::place_of(memory_space space, address a) const {
  switch (space) {
    case memory_space::shared:
      return around_.shared_place_of(a);
    case memory_space::local:
      return {memory_space::local, 0, {stacks_.begin, stacks_.begin + stacks_.stride * stacks_.count}};
    default:
      return around_.place_of(a);
  }
}

void request_stream::tell(const memory_access& a) {
  requests_ += a.space != memory_space::local;
  if (of_new_requests_.empty()) return;
  auto& slot = patterns_[2 * std::size_t{a.instruction} + a.is_copy];
  if (slot == nullptr) [[unlikely]] {
    slot = std::make_unique<pattern>();
    slot->pattern_id = ++pattern_ids_;
  }
  pattern& p = *slot;
  const address lowest = a.addresses[lowest_of(a.lanes)];
  bool same = p.can_repeat && p.lanes == a.lanes && p.space == a.space && p.request.vain_passes == a.vain_passes &&
              p.request.changes_nothing == a.changes_nothing && lowest - p.begin <= p.span &&
              ((lowest ^ p.lowest) & p.phase_mask) == 0;
  if (same) {
    std::uint64_t difference = 0;
    if (a.lanes == full_warp)
      for (unsigned l = 0; l < warp_size; ++l) difference |= (a.addresses[l] - lowest) ^ p.distance[l];
    else
      for (lane_mask rest = a.lanes; rest != 0; rest &= rest - 1)
        difference |= (a.addresses[lowest_of(rest)] - lowest) ^ p.distance[lowest_of(rest)];
    same = difference == 0;
  }
  if (!same) return tell_new(a, p);
  ++p.repetitions;
  if (of_requests_.empty()) return;
  p.request.warp = a.warp;
  p.request.addresses = a.addresses;
  p.request.values = a.values;
  for (observer* o : of_requests_) o->request(p.request);
}

void request_stream::tell_fetch(const memory_access& a, lane_mask texels, bool is_extra) {
  warp_request r{.where = a.where,
                 .space = memory_space::texture,
                 .variable = texels == 0 ? 0 : around_.place_of(a.addresses[lowest_of(texels)]).variable,
                 .width = a.width,
                 .warp = a.warp,
                 .active = a.lanes,
                 .addresses = a.addresses,
                 .texels = texels,
                 .is_extra_filter_tap = is_extra};
  requests_ += !is_extra;
  for (observer* o : of_new_requests_) o->request(r);
}

void request_stream::tell_new(const memory_access& a, pattern& p) {
  settle(p);
  const unsigned lowest = lowest_of(a.lanes);
  const memory_place place = place_of(a.space, a.addresses[lowest]);
  lane_mask here = a.lanes;
  if (a.space != memory_space::shared && a.space != memory_space::local)
    for (lane_mask rest = a.lanes; rest != 0; rest &= rest - 1) {
      const address at = a.addresses[lowest_of(rest)];
      if (!place.bytes.contains(at) && around_.place_of(at).space != place.space) here &= ~(rest & -rest);
    }
  warp_request r{.where = a.where,
                 .kind = a.kind,
                 .space = a.space == memory_space::global ? place.space : a.space,
                 .variable = place.variable,
                 .width = a.width,
                 .warp = a.warp,
                 .active = here,
                 .atomic = a.atomic,
                 .in_block = a.in_block,
                 .changes_nothing = a.changes_nothing,
                 .reads_nothing = a.reads_nothing,
                 .of_atomic = a.of_atomic,
                 .is_copy = a.is_copy,
                 .vain_passes = a.vain_passes,
                 .addresses = a.addresses,
                 .values = a.values,
                 .pattern_id = p.pattern_id};
  if (a.space == memory_space::local) {
    const auto place_in = [&](unsigned l) { return stacks_.as_of_first(a.addresses[l], r.thread(l)); };
    for (lane_mask rest = here; rest != 0; rest &= rest - 1)
      r.is_indexed |= place_in(lowest_of(rest)) != place_in(lowest);
  }
  for (observer* o : of_new_requests_) o->request(r);
  p.can_repeat = false;
  if (here == a.lanes) return learn(p, a, r, place);
  memory_access rest = a;
  rest.lanes = a.lanes & ~here;
  tell_new(rest, p);
}

void request_stream::learn(pattern& p, const memory_access& a, const warp_request& r, const memory_place& place) {
  p.lowest = a.addresses[lowest_of(a.lanes)];
  std::int64_t low = 0, high = 0;
  for (lane_mask rest = a.lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = lowest_of(rest);
    p.distance[l] = a.addresses[l] - p.lowest;
    low = std::min(low, static_cast<std::int64_t>(p.distance[l]));
    high = std::max(high, static_cast<std::int64_t>(p.distance[l]));
  }
  if (a.space == memory_space::local) {  // the same warp's, or one that stands the same way
    p.begin = p.lowest;
    p.span = 0;
  } else {
    const std::uint64_t bytes = static_cast<std::uint64_t>(high - low) + a.width;
    if (place.bytes.end - place.bytes.begin < bytes || !place.bytes.contains(p.lowest)) return;
    p.begin = place.bytes.begin - static_cast<std::uint64_t>(low);
    p.span = place.bytes.end - place.bytes.begin - bytes;
  }
  p.phase_mask = phase_mask(r.space, a.width);
  p.request = r;
  p.request.repeats = true;
  p.lanes = a.lanes;
  p.space = a.space;
  p.can_repeat = true;
}

}  // namespace simtlab::emulator::sass

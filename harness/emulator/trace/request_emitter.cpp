#include "trace/request_emitter.h"

#include <algorithm>
#include <bit>

#include "core/request_phase.h"

namespace simtlab::emulator {

request_emitter::request_emitter(const memory_map& map, std::uint64_t text_bytes)
    : map_(map), pattern_of_(text_bytes + 1) {}

namespace {

/// Whether the lanes' addresses lie at these distances from `lowest`.
[[gnu::always_inline]] inline bool follows(const address* addresses, address lowest, const std::uint64_t* distances) {
  std::uint64_t difference = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) difference |= (addresses[lane] - lowest) ^ distances[lane];
  return difference == 0;
}

/// The same of the lanes that `is_active` has all bits of.
[[gnu::always_inline]] inline bool follows(const address* addresses, address lowest, const std::uint64_t* distances,
                                           const std::uint64_t* is_active) {
  std::uint64_t difference = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane)
    difference |= ((addresses[lane] - lowest) ^ distances[lane]) & is_active[lane];
  return difference == 0;
}

[[gnu::always_inline]] inline void move(address* addresses, address shift) {
  for (unsigned lane = 0; lane < warp_size; ++lane) addresses[lane] += shift;
}

}  // namespace

void request_emitter::prepare(const address_layout& layout, std::vector<observer*> observers) {
  layout_ = layout;
  observers_ = std::move(observers);
  of_requests_ = of_new_requests_ = of_repetitions_ = of_steps_ = of_step_sums_ = of_divergent_steps_ = {};
  for (observer* o : observers_) {
    const detail request_detail = o->request_detail(), step_detail = o->step_detail();
    if (request_detail != detail::none) of_new_requests_.push_back(o);
    if (request_detail == detail::full) of_requests_.push_back(o);
    if (request_detail == detail::aggregate) of_repetitions_.push_back(o);
    if (step_detail == detail::full) of_steps_.push_back(o);
    if (step_detail == detail::aggregate) of_step_sums_.push_back(o);
    if (o->wants_divergent_steps()) of_divergent_steps_.push_back(o);
  }
  for (const auto& p : patterns_) {
    p->key = no_key;
    p->repetitions = 0;
  }
  steps_ = divergent_steps_ = requests_ = busiest_warp_ = working_warps_ = 0;
}

void request_emitter::settle(pattern& p) {
  const std::uint64_t times = std::exchange(p.repetitions, 0);
  if (times == 0) return;
  for (observer* o : of_repetitions_) o->repeated(p.pattern_id, times);
}

void request_emitter::settle() {
  for (const auto& p : patterns_) settle(*p);
  const std::uint64_t all = std::exchange(steps_, 0), divergent = std::exchange(divergent_steps_, 0),
                      working = std::exchange(working_warps_, 0);
  for (observer* o : of_step_sums_) {
    o->steps(all, divergent);
    o->busiest_warp(busiest_warp_);
    o->working_warps(working);
  }
}

inline memory_space request_emitter::space_of(address a) const {
  if (layout_.global.contains(a) || layout_.device.contains(a)) return memory_space::global;
  if (layout_.static_shared.contains(a) || layout_.dynamic_shared.contains(a)) return memory_space::shared;
  if (layout_.constant.contains(a) || layout_.parameters.contains(a)) return memory_space::constant;
  if (layout_.registered.contains(a) && map_.of_host_in_page(a) != nullptr) return memory_space::global;
  if (layout_.local.contains(a) || layout_.read_only.contains(a)) return memory_space::local;
  return is_on_lane_stack(a) ? memory_space::local : memory_space::host;  // of another worker
}

const address_range& request_emitter::range_of(address a) const {
  for (const address_range* r : {&layout_.global, &layout_.device, &layout_.static_shared, &layout_.dynamic_shared,
                                 &layout_.constant, &layout_.parameters, &layout_.registered})
    if (r->contains(a)) return *r;
  return layout_.local;
}

address request_emitter::normalised(memory_space space, address a) const {
  if (space != memory_space::shared) return a;
  return layout_.static_shared.contains(a) ? a - layout_.static_shared.begin
                                           : a - layout_.dynamic_shared.begin + layout_.dynamic_shared_offset;
}

bool request_emitter::are_own_locals(std::uint32_t warp, lane_mask active, const address* addresses) const {
  const address first = layout_.stacks.of(warp * warp_size);
  for (lane_mask rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address at = addresses[lane];
    if (at - (first + layout_.stacks.stride * lane) >= layout_.stacks.stride && is_on_lane_stack(at)) return false;
  }
  return true;
}

bool request_emitter::are_places_different(std::uint32_t warp, lane_mask active, const address* addresses) const {
  const auto place = [&](unsigned lane) {
    return layout_.stacks.as_of_first(addresses[lane], warp * warp_size + lane);
  };
  const auto lowest = static_cast<unsigned>(std::countr_zero(active));
  if (!layout_.stacks.contains(addresses[lowest])) return false;  // a table of the program's
  for (lane_mask rest = active; rest != 0; rest &= rest - 1)
    if (place(static_cast<unsigned>(std::countr_zero(rest))) != place(lowest)) return true;
  return false;
}

const memory_region* request_emitter::region_of(memory_space space, address normal) const {
  switch (space) {
    case memory_space::shared:
      return map_.find_shared(normal);
    case memory_space::global:
    case memory_space::constant:
      return map_.find(normal);
    default:
      return nullptr;
  }
}

request_emitter::pattern& request_emitter::pattern_at(site where) {
  pattern*& last = place_of(where);
  if (last == nullptr) [[unlikely]] {
    last = patterns_.emplace_back(std::make_unique<pattern>()).get();
    last->pattern_id = static_cast<std::uint32_t>(patterns_.size());
  }
  return *last;
}

[[gnu::always_inline]] inline void request_emitter::take_rows(const record_key* keys, std::uint64_t* rows,
                                                              std::size_t count, std::uint32_t warp, lane_mask active) {
  const auto lowest_lane = static_cast<unsigned>(std::countr_zero(active));
  std::uint64_t steps = 0, requests = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const record_key key = keys[i];
    std::uint64_t* const row = rows + i * warp_size;
    if (kind_of(key) == record_kind::step && of_steps_.empty()) {
      ++steps;
      continue;
    }
    const bool has_values = i + 1 < count && kind_of(keys[i + 1]) == record_kind::value;
    const std::uint64_t* const values = has_values ? row + warp_size : nullptr;
    i += has_values;
    pattern* const last = place_of(site_of(key));
    const address lowest = row[lowest_lane];
    if (last != nullptr && last->key == key && last->active == active && last->takes(lowest) &&
        (active == full_warp ? follows(row, lowest, last->distance.data())
                             : follows(row, lowest, last->distance.data(), last->is_active.data()))) [[likely]] {
      ++last->repetitions;
      requests += last->request.space != memory_space::local;
      if (!of_requests_.empty()) {
        if (last->shift != 0) move(row, last->shift);
        deliver_repetition(*last, {}, warp, row, values);
      }
    } else {
      emit(key, warp, active, row, values, active);
    }
  }
  steps_ += steps;
  requests_ += requests;
}

#ifdef __x86_64__
void request_emitter::take_rows_by_fours(const record_key* keys, std::uint64_t* rows, std::size_t count,
                                         std::uint32_t warp, lane_mask active) {
  take_rows(keys, rows, count, warp, active);
}
#endif

void request_emitter::emit_rows(const record_key* keys, std::uint64_t* rows, std::size_t count, std::uint32_t warp,
                                lane_mask active) {
#ifdef __x86_64__
  static const bool has_fours = __builtin_cpu_supports("avx2") != 0;
  if (has_fours) return take_rows_by_fours(keys, rows, count, warp, active);
#endif
  take_rows(keys, rows, count, warp, active);
}

void request_emitter::emit(record_key key, std::uint32_t warp, lane_mask active, address* addresses,
                           const std::uint64_t* values, lane_mask together) {
  if (kind_of(key) == record_kind::step) {
    ++steps_;
    if (active != together) {
      ++divergent_steps_;
      for (observer* o : of_divergent_steps_) o->divergent_step({site_of(key), warp, active, together});
    }
    for (observer* o : of_steps_) o->step({site_of(key), warp, active, together});
    return;
  }
  if (kind_of(key) == record_kind::order) [[unlikely]] {
    for (observer* o : observers_) o->order({warp, active, addresses});
    return;
  }
  if (kind_of(key) == record_kind::free) [[unlikely]] {
    for (observer* o : observers_) o->frees({warp, active, addresses});
    return;
  }
  if (kind_of(key) == record_kind::copy) [[unlikely]]
    return emit_copy(key, warp, active, addresses);
  if (is_fetch(key)) [[unlikely]]
    return emit_fetch(key, warp, active, addresses);
  if (is_in_pieces(width_of(key))) [[unlikely]]
    return emit_pieces(key, warp, active, addresses, values);
  emit_access(key, {}, warp, active, addresses, values);
}

void request_emitter::emit_copy(record_key key, std::uint32_t warp, lane_mask active, const address* values) {
  copy_step step{.where = site_of(key),
                 .what = static_cast<copy_event>(width_of(key) >> 5),
                 .bytes = width_of(key) & 31,
                 .warp = warp,
                 .active = active,
                 .values = values};
  std::array<address, warp_size> normal{};
  if (step.what == copy_event::begin || step.what == copy_event::begin_tracked) {
    for (lane_mask rest = active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      if (space_of(values[lane]) == memory_space::shared)
        normal[lane] = normalised(memory_space::shared, values[lane]);
      else
        step.active &= ~(lane_mask{1} << lane);
    }
    step.values = normal.data();
  }
  if (step.active == 0) return;
  for (observer* o : observers_) o->copies(step);
}

void request_emitter::emit_fetch(record_key key, std::uint32_t warp, lane_mask active, const address* addresses) {
  lane_mask texels = 0;
  for (lane_mask rest = active; rest != 0; rest &= rest - 1)
    if (addresses[std::countr_zero(rest)] != 0) texels |= rest & -rest;
  const memory_region* region = texels == 0 ? nullptr : map_.find(addresses[std::countr_zero(texels)]);
  const warp_request fetch{.where = site_of(key),
                           .space = memory_space::texture,
                           .variable = region == nullptr ? 0 : region->id,
                           .width = width_of(key),
                           .warp = warp,
                           .active = active,
                           .addresses = addresses,
                           .texels = texels,
                           .is_extra_filter_tap = kind_of(key) == record_kind::texel};
  requests_ += !fetch.is_extra_filter_tap;
  for (observer* o : of_new_requests_) o->request(fetch);
}

void request_emitter::emit_pieces(record_key key, std::uint32_t warp, lane_mask active, const address* addresses,
                                  const std::uint64_t* values) {
  const std::uint32_t width = piece_of(width_of(key)), whole = bytes_of(width_of(key));
  for (std::uint32_t offset = 0, number = 0; offset < whole; offset += width, ++number) {
    std::array<address, warp_size> moved;
    for (unsigned lane = 0; lane < warp_size; ++lane) moved[lane] = addresses[lane] + offset;
    emit_access(with_width(key, std::min(width, whole - offset)), {whole, offset, number}, warp, active, moved.data(),
                values);
  }
}

void request_emitter::emit_access(record_key key, const piece& of, std::uint32_t warp, lane_mask active,
                                  address* addresses, const std::uint64_t* values) {
  pattern& last = pattern_at(site_of(key) + of.number);  // each piece has its own; which one is of no account
  const address lowest = addresses[static_cast<unsigned>(std::countr_zero(active))];
  if (last.key != key || last.active != active || !last.takes(lowest) ||
      !follows(addresses, lowest, last.distance.data(), last.is_active.data()))
    return emit_request(key, of, warp, active, addresses, values, last);
  ++last.repetitions;
  requests_ += last.request.space != memory_space::local;
  if (of_requests_.empty()) return;
  move(addresses, last.shift);
  deliver_repetition(last, of, warp, addresses, values);
}

void request_emitter::deliver_repetition(pattern& of, const piece& part, std::uint32_t warp, const address* addresses,
                                         const std::uint64_t* values) {
  warp_request& request = of.request;
  request.warp = warp;
  request.addresses = addresses;
  request.values = values;
  request.whole = part.whole;
  request.offset = part.offset;
  for (observer* o : of_requests_) o->request(request);
}

void request_emitter::emit_request(record_key key, const piece& of, std::uint32_t warp, lane_mask active,
                                   const address* addresses, const std::uint64_t* values, pattern& last) {
  settle(last);
  const auto lowest_lane = static_cast<unsigned>(std::countr_zero(active));
  const memory_space space = space_of(addresses[lowest_lane]);
  std::array<address, warp_size> normal{};
  lane_mask here = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((active >> lane & 1) != 0 && space_of(addresses[lane]) == space) {
      here |= lane_mask{1} << lane;
      normal[lane] = normalised(space, addresses[lane]);
    }
  }
  touched_host_ |= space == memory_space::host;
  const bool own = space != memory_space::local || are_own_locals(warp, here, normal.data());
  touched_foreign_local_ |= !own;
  const std::uint32_t width = width_of(key);
  if (width <= 16 && std::has_single_bit(width) && space != memory_space::local)
    for (lane_mask rest = here; rest != 0; rest &= rest - 1)
      misaligned_ |= (normal[static_cast<unsigned>(std::countr_zero(rest))] & (width - 1)) != 0;
  const memory_region* region = region_of(space, normal[lowest_lane]);
  const warp_request request{
      .where = site_of(key),
      .kind = access_of(key),
      .space = space,
      .variable = region == nullptr ? 0 : region->id,
      .width = width_of(key),
      .warp = warp,
      .active = here,
      .atomic = atomic_kind_of(key),
      .in_block = (traits_of(key) & atomic_trait::in_block) != 0,
      .changes_nothing = (traits_of(key) & atomic_trait::changes_nothing) != 0,
      .reads_nothing = (traits_of(key) & atomic_trait::reads_nothing) != 0,
      .addresses = normal.data(),
      .values = values,
      .pattern_id = last.pattern_id,
      .repeats = false,
      .whole = of.whole,
      .offset = of.offset,
      .is_indexed = space == memory_space::local && own && are_places_different(warp, here, normal.data())};
  requests_ += space != memory_space::local;
  for (observer* o : of_new_requests_) o->request(request);

  last.key = no_key;
  if (here == active && own) learn(last, key, request, addresses, region);
  if (const lane_mask elsewhere = active & ~here) emit_request(key, of, warp, elsewhere, addresses, values, last);
}

void request_emitter::limit_to_own_stacks(pattern& p, const warp_request& request) const {
  const lane_stacks& stacks = layout_.stacks;
  std::uint64_t low = stacks.stride, high = 0;
  for (lane_mask rest = request.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t offset = request.addresses[lane] - stacks.of(request.thread(lane));
    low = std::min(low, offset);
    high = std::max(high, offset);
  }
  p.begin = p.lowest - low;
  p.span = low + stacks.stride - std::min<std::uint64_t>(stacks.stride, high + request.width);
}

void request_emitter::learn(pattern& p, record_key key, const warp_request& request, const address* addresses,
                            const memory_region* region) {
  const auto lowest_lane = static_cast<unsigned>(std::countr_zero(request.active));
  p.lowest = addresses[lowest_lane];
  if (region == nullptr && !layout_.local.contains(p.lowest)) return;  // where it ends is not known
  p.shift = request.addresses[lowest_lane] - p.lowest;
  std::int64_t low = 0, high = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const bool is_active = (request.active >> lane & 1) != 0;
    const std::uint64_t distance = is_active ? addresses[lane] - p.lowest : 0;
    p.is_active[lane] = is_active ? ~std::uint64_t{0} : 0;
    p.distance[lane] = distance;
    low = std::min(low, static_cast<std::int64_t>(distance));
    high = std::max(high, static_cast<std::int64_t>(distance));
  }
  if (layout_.local.contains(p.lowest)) {
    limit_to_own_stacks(p, request);
  } else {
    auto [begin, end] = range_of(p.lowest);
    begin = std::max(begin, region->begin - p.shift);
    end = std::min(end, region->begin + region->bytes - p.shift);
    const std::uint64_t bytes = static_cast<std::uint64_t>(high - low) + request.width;
    if (end - begin < bytes) return;
    p.begin = begin - static_cast<std::uint64_t>(low);
    p.span = end - begin - bytes;
  }
  p.phase_mask = phase_mask(request.space, request.width);
  p.request = request;
  p.request.repeats = true;
  p.active = request.active;
  p.key = key;
}

}  // namespace simtlab::emulator

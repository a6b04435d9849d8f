#include "trace/request_emitter.h"

#include <algorithm>
#include <bit>
#include <new>

namespace simtlab::emulator {

request_emitter::request_emitter(const memory_map& map, std::uint64_t text_bytes)
    : map_(map), pattern_index_(text_bytes + 1) {}

namespace {

/// What a request's cost depends on besides the distances between its lanes: sectors and lines on the place in a line;
/// wavefronts on nothing but the alignment, because shifting all lanes by whole words only rotates the banks.
std::uint64_t phase_mask(memory_space space, std::uint32_t width) {
  if (space != memory_space::shared) return 127;
  return std::bit_ceil(std::clamp<std::uint32_t>(width, 4, 128)) - 1;
}

/// Adds `shift` to a request's addresses. Whether they lie at these distances from `lowest`.
[[gnu::always_inline]] inline bool follows(const address* addresses, address lowest, const std::uint64_t* distances,
                                           address shift, address* __restrict shifted) {
  std::uint64_t difference = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    difference |= (addresses[lane] - lowest) ^ distances[lane];
    shifted[lane] = addresses[lane] + shift;
  }
  return difference == 0;
}

using follower = bool(const address*, address, const std::uint64_t*, address, address*);
bool follows_by_pairs(const address* addresses, address lowest, const std::uint64_t* distances, address shift,
                      address* __restrict shifted) {
  return follows(addresses, lowest, distances, shift, shifted);
}
#ifdef __x86_64__
[[gnu::target("avx2")]] bool follows_by_fours(const address* addresses, address lowest, const std::uint64_t* distances,
                                              address shift, address* __restrict shifted) {
  return follows(addresses, lowest, distances, shift, shifted);
}
follower* const follows_fast = __builtin_cpu_supports("avx2") != 0 ? follows_by_fours : follows_by_pairs;
#else
follower* const follows_fast = follows_by_pairs;
#endif

}  // namespace

void request_emitter::set_observers(std::vector<observer*> observers) {
  observers_ = std::move(observers);
  of_requests_ = of_steps_ = {};
  for (observer* o : observers_) {
    if (o->asks_for_requests()) of_requests_.push_back(o);
    if (o->asks_for_steps()) of_steps_.push_back(o);
  }
}

inline memory_space request_emitter::space_of(address a) const {
  if (layout_.global.contains(a) || layout_.device.contains(a)) return memory_space::global;
  if (layout_.static_shared.contains(a) || layout_.dynamic_shared.contains(a)) return memory_space::shared;
  if (layout_.constant.contains(a)) return memory_space::constant;
  if (layout_.local.contains(a) || layout_.read_only.contains(a)) return memory_space::local;
  return memory_space::host;
}

address request_emitter::normalised(memory_space space, address a) const {
  if (space != memory_space::shared) return a;
  return layout_.static_shared.contains(a) ? a - layout_.static_shared.begin
                                           : a - layout_.dynamic_shared.begin + layout_.dynamic_shared_offset;
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

inline request_emitter::pattern& request_emitter::pattern_at(site where) {
  std::uint32_t& index = pattern_index_[where < pattern_index_.size() ? where : 0];
  if (index == 0) {
    patterns_.push_back(std::make_unique<pattern>());
    index = static_cast<std::uint32_t>(patterns_.size());
  }
  return *patterns_[index - 1];
}

inline void request_emitter::deliver(const warp_request& request) {
  for (observer* o : of_requests_) o->request(request);
}

void request_emitter::emit(record_key key, std::uint32_t warp, lane_mask active, address* addresses,
                           const std::uint64_t* values, lane_mask together) {
  if (kind_of(key) == record_kind::step) {
    const warp_step step{site_of(key), warp, active, together};
    for (observer* o : of_steps_) o->step(step);
    return;
  }
  if (kind_of(key) == record_kind::order) [[unlikely]] {
    for (observer* o : observers_) o->order({warp, active, addresses});
    return;
  }
  if (is_fetch(key)) [[unlikely]]
    return emit_fetch(key, warp, active, addresses);
  if (is_in_pieces(width_of(key))) [[unlikely]]
    return emit_pieces(key, warp, active, addresses, values);
  emit_access(key, {width_of(key), 0, 0, 0}, warp, active, addresses, values);
}

void request_emitter::emit_fetch(record_key key, std::uint32_t warp, lane_mask active, const address* addresses) {
  lane_mask texels = 0;
  for (lane_mask rest = active; rest != 0; rest &= rest - 1)
    if (addresses[std::countr_zero(rest)] != 0) texels |= rest & -rest;
  const memory_region* region = texels == 0 ? nullptr : map_.find(addresses[std::countr_zero(texels)]);
  deliver({.where = site_of(key),
           .space = memory_space::texture,
           .variable = region == nullptr ? 0 : region->id,
           .width = width_of(key),
           .warp = warp,
           .active = active,
           .addresses = addresses,
           .texels = texels,
           .further_texel = kind_of(key) == record_kind::texel});
}

void request_emitter::emit_pieces(record_key key, std::uint32_t warp, lane_mask active, const address* addresses,
                                  const std::uint64_t* values) {
  const std::uint32_t width = piece_of(width_of(key)), whole = bytes_of(width_of(key));
  for (std::uint32_t offset = 0, number = 0; offset < whole; offset += width, ++number) {
    std::array<address, warp_size> moved;
    for (unsigned lane = 0; lane < warp_size; ++lane) moved[lane] = addresses[lane] + offset;
    emit_access(key, {std::min(width, whole - offset), whole, offset, number}, warp, active, moved.data(), values);
  }
}

void request_emitter::emit_access(record_key key, const piece& of, std::uint32_t warp, lane_mask active,
                                  address* addresses, const std::uint64_t* values) {
  const auto lowest_lane = static_cast<unsigned>(std::countr_zero(active));
  const address lowest = addresses[lowest_lane];
  if (active != full_warp) {  // so that the loops below need no mask
    for (unsigned lane = 0; lane < warp_size; ++lane)
      if ((active >> lane & 1) == 0) addresses[lane] = lowest;
  }
  pattern& last = pattern_at(site_of(key) + of.number);  // each piece has its own; which one is of no account
  const address normal = normalised(last.space, lowest);
  bool same = last.key == key && last.active == active && last.region != nullptr &&
              last.phase == (normal & phase_mask(last.space, of.width));
  std::array<address, warp_size> shifted;
  same = same && follows_fast(addresses, lowest, last.distance.data(), normal - lowest, shifted.data()) &&
         space_of(lowest) == last.space && last.region->contains(normal + static_cast<std::uint64_t>(last.lowest)) &&
         last.region->contains(normal + static_cast<std::uint64_t>(last.highest), of.width);
  if (!same) return emit_request(key, of, warp, active, addresses, values, &last);

  deliver({.where = site_of(key),
           .kind = access_of(key),
           .space = last.space,
           .variable = last.region->id,
           .width = of.width,
           .warp = warp,
           .active = active,
           .atomic = atomic_kind_of(key),
           .addresses = shifted.data(),
           .values = values,
           .repeats = of.whole == 0,
           .whole = of.whole,
           .offset = of.offset});
}

void request_emitter::emit_request(record_key key, const piece& of, std::uint32_t warp, lane_mask active,
                                   address* addresses, const std::uint64_t* values, pattern* last) {
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
  const address lowest = normal[lowest_lane];
  const memory_region* region = region_of(space, lowest);
  warp_request request{.where = site_of(key),
                       .kind = access_of(key),
                       .space = space,
                       .variable = region == nullptr ? 0 : region->id,
                       .width = of.width,
                       .warp = warp,
                       .active = here,
                       .atomic = atomic_kind_of(key),
                       .addresses = normal.data(),
                       .values = values,
                       .repeats = false,
                       .whole = of.whole,
                       .offset = of.offset};
  deliver(request);

  last->key = no_key;
  if (here == active && region != nullptr) {
    std::int64_t low = 0, high = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const std::uint64_t distance = addresses[lane] - addresses[lowest_lane];
      last->distance[lane] = distance;
      low = std::min(low, static_cast<std::int64_t>(distance));
      high = std::max(high, static_cast<std::int64_t>(distance));
    }
    last->key = key;
    last->active = active;
    last->space = space;
    last->region = region;
    last->lowest = low;
    last->highest = high;
    last->phase = static_cast<std::uint32_t>(lowest & phase_mask(space, of.width));
  }
  if (const lane_mask elsewhere = active & ~here) emit_request(key, of, warp, elsewhere, addresses, values, last);
}

}  // namespace simtlab::emulator

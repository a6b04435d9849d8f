#include "checks/memory/stale_texels.h"

#include <algorithm>
#include <bit>

#include "checks/region_text.h"

namespace simtlab::emulator {
namespace {

constexpr address word_bytes = 8;

/// The bytes of the word at `word` that [at, at + bytes) touches.
std::uint8_t bytes_in(address word, address at, std::uint64_t bytes) {
  std::uint8_t mask = 0;
  for (address b = 0; b < word_bytes; ++b)
    if (word + b >= at && word + b < at + bytes) mask |= static_cast<std::uint8_t>(1U << b);
  return mask;
}

}  // namespace

void stale_texels::block_begins(const block_info& b) {
  block_ = &b;
  intervals_ = 0;
  stores_.clear();
}

void stale_texels::note_store(const warp_request& r, lane_mask lanes) {
  const std::vector<memory_stretch>& textures = block_->launch->textures;
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address at = r.addresses[lane];
    if (std::none_of(textures.begin(), textures.end(),
                     [&](const memory_stretch& t) { return at < t.begin + t.bytes && at + r.width > t.begin; }))
      continue;
    for (address word = at / word_bytes * word_bytes; word < at + r.width; word += word_bytes) {
      std::vector<store>& there = stores_[word];
      const auto known = std::find_if(there.begin(), there.end(), [&](const store& s) {
        return s.where == r.where && s.warp == r.warp && s.interval == intervals_;
      });
      const std::uint8_t bytes = bytes_in(word, at, r.width);
      if (known != there.end())
        known->bytes |= bytes;
      else
        there.push_back({r.where, r.warp, r.thread(lane), intervals_, bytes});
    }
  }
}

void stale_texels::check(const warp_request& r) {
  if (stores_.empty()) return;
  for (lane_mask rest = r.texels; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address at = r.addresses[lane];
    for (address word = at / word_bytes * word_bytes; word < at + r.width; word += word_bytes) {
      const auto there = stores_.find(word);
      if (there == stores_.end()) continue;
      for (const store& s : there->second)
        if ((s.bytes & bytes_in(word, at, r.width)) != 0 && (s.warp == r.warp || s.interval < intervals_))
          report(r, lane, s);
    }
  }
}

void stale_texels::report(const warp_request& r, unsigned lane, const store& s) {
  const launch_info& launch = *block_->launch;
  const sighting rank{launch.ordinal, block_->index, r.thread(lane)};
  const address at = r.addresses[lane];
  const memory_region* region = map_.find(at);
  const variable_id variable = region == nullptr ? 0 : region->id;
  if (!findings_.first_time(rule::stale_texel, r.where, s.where, variable, rank)) return;
  const std::string element = element_text(region, memory_space::global, at, r.width);
  findings_.add(
      {rule::stale_texel,
       launch.kernel,
       map_.name(variable),
       {r.where, true, coordinates_of(r.thread(lane), launch.block), block_->where, "fetches " + element},
       {s.where, true, coordinates_of(s.thread, launch.block), block_->where, "wrote it before"},
       "Textures are read through a cache that does not see what the same launch writes: the fetched value is "
       "undefined. Read the place through its pointer, or fetch it in the next launch."},
      variable, rank);
}

}  // namespace simtlab::emulator

#include "checks/races/footprint.h"

#include <algorithm>
#include <bit>

namespace simtlab::emulator {

void footprint::add(site where, access kind, address begin, std::uint64_t bytes) {
  pages& touched = sides_[{where, kind}];
  while (bytes > 0) {
    page& p = touched[begin / page_bytes];
    const address first = begin % page_bytes;
    const std::uint64_t here = std::min<std::uint64_t>(bytes, page_bytes - first);
    if (here == page_bytes) {
      p.set();
    } else {
      for (address i = first; i < first + here; ++i) p.set(i);
    }
    begin += here;
    bytes -= here;
  }
}

void footprint::merge(const footprint& other) {
  for (const auto& [what, touched] : other.sides_) {
    for (const auto& [number, bytes] : touched) sides_[what][number] |= bytes;
  }
}

address footprint::lowest_common(const pages& a, const pages& b) {
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (i->first < j->first) {
      ++i;
    } else if (j->first < i->first) {
      ++j;
    } else {
      const page both = i->second & j->second;
      if (both.any()) return i->first * page_bytes + both._Find_first();
      ++i;
      ++j;
    }
  }
  return 0;
}

bool footprint_taker::is_wanted(address a) const {
  return ranges_ == nullptr || std::ranges::any_of(*ranges_, [a](const address_range& r) { return r.contains(a); });
}

void footprint_taker::request(const warp_request& r) {
  if (r.space != memory_space::global && r.space != memory_space::texture) return;
  for (lane_mask rest = r.space == memory_space::texture ? r.texels : r.active; rest != 0; rest &= rest - 1) {
    const address a = r.addresses[std::countr_zero(rest)];
    if (is_wanted(a)) own_.add(r.where, r.kind, a, r.width);
  }
}

}  // namespace simtlab::emulator

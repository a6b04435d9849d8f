#include "checks/access_pattern.h"

#include <algorithm>
#include <bit>

namespace simtlab::emulator {
namespace {

/// Sorts rows of one word and joins those of the same.
void join_same(std::vector<word_run>& words) {
  const auto by_distance = [](const word_run& a, const word_run& b) { return a.distance < b.distance; };
  if (!std::is_sorted(words.begin(), words.end(), by_distance)) std::sort(words.begin(), words.end(), by_distance);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (kept > 0 && words[kept - 1].distance == words[i].distance) {
      words[kept - 1].lanes |= words[i].lanes;
    } else {
      words[kept++] = words[i];
    }
  }
  words.resize(kept);
}

/// Makes one of neighbouring rows wherever the lanes move up by one.
void join_neighbours(std::vector<word_run>& rows) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const word_run next = rows[i];
    word_run* const last = kept == 0 ? nullptr : &rows[kept - 1];
    const unsigned moved = last == nullptr ? 0 : last->words >> last->shift;
    if (last != nullptr && last->distance + 4 * std::int64_t{last->words} == next.distance && moved < warp_size &&
        last->lanes << moved == next.lanes && next.lanes >> moved == last->lanes) {
      last->words += next.words;
    } else {
      rows[kept++] = next;
    }
  }
  rows.resize(kept);
}

}  // namespace

void access_pattern::set_runs(const warp_request& r) {
  runs.clear();
  if (!has_natural_alignment(r.width) && r.width != 1) return;
  const address first = first_address(r);
  const auto width = static_cast<std::int64_t>(r.width);
  const auto end_of = [width](const lane_run& run) { return run.distance + run.lanes * width; };
  for (lane_mask rest = r.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint8_t>(std::countr_zero(rest));
    const auto distance = static_cast<std::int64_t>(r.addresses[lane] - first);
    if (!runs.empty() && runs.back().lane + runs.back().lanes == lane && end_of(runs.back()) == distance) {
      ++runs.back().lanes;
      continue;
    }
    if (runs.size() == most_runs) return runs.clear();
    runs.push_back({distance, lane, 1});
  }
  const bool overlap = std::any_of(runs.begin(), runs.end(), [&](const lane_run& a) {
    return std::any_of(runs.begin(), runs.end(),
                       [&](const lane_run& b) { return &a != &b && a.distance < end_of(b) && b.distance < end_of(a); });
  });
  const bool in_words = std::all_of(runs.begin(), runs.end(), [&](const lane_run& run) {
    return (first + static_cast<address>(run.distance)) % 4 == 0 && run.lanes * width % 4 == 0;
  });
  if (overlap || !in_words || !aligned) runs.clear();
}

void access_pattern::set(const warp_request& r) {
  const address first = first_address(r);
  low = high = 0;
  address all_bits = 0;
  const auto width = static_cast<std::int64_t>(r.width);
  for (lane_mask rest = r.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto distance = static_cast<std::int64_t>(r.addresses[lane] - first);
    low = std::min(low, distance);
    high = std::max(high, distance);
    all_bits |= r.addresses[lane];
  }
  high += width;
  aligned = !has_natural_alignment(r.width) || all_bits % r.width == 0;
  whole_words = (all_bits | r.width) % 4 == 0 && r.width > 0;
  set_runs(r);
  set_rows(r);
}

void access_pattern::set_rows(const warp_request& r) {
  rows.clear();
  dense = false;
  if (!whole_words) return;
  const address first = first_address(r);
  // Lanes that touch a word together touch all of the same words, if they are aligned.
  const unsigned shift = aligned && has_natural_alignment(r.width) ? word_shift(r.width) : 0;
  const std::uint32_t piece = 4U << shift;
  for (lane_mask rest = r.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto distance = static_cast<std::int64_t>(r.addresses[lane] - first);
    for (std::uint32_t offset = 0; offset < r.width; offset += piece)
      rows.push_back({distance + offset, lane_mask{1} << lane, piece / 4, shift});
  }
  join_same(rows);
  dense = static_cast<std::int64_t>(piece * rows.size()) == high - low;
  join_neighbours(rows);
}

const access_pattern& pattern_memory::learn(const warp_request& r) {
  if (r.pattern_id >= of_pattern_.size()) of_pattern_.resize(r.pattern_id + 1);
  std::unique_ptr<access_pattern>& last = of_pattern_[r.pattern_id];
  if (last == nullptr) last = std::make_unique<access_pattern>();
  last->set(r);
  return *last;
}

}  // namespace simtlab::emulator

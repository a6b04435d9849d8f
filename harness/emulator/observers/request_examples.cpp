#include "observers/request_examples.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "core/memory_geometry.h"
#include "core/mix64.h"
#include "costs/request_costs.h"

namespace simtlab::emulator {
namespace {

std::uint64_t pattern_of(const warp_request& r, address lowest) {
  std::uint64_t hash = mix64(std::uint64_t{r.active} << 32 | lowest % line_bytes);
  for (lane_mask rest = r.active; rest != 0; rest &= rest - 1)
    hash = mix64(hash ^ (r.addresses[std::countr_zero(rest)] - lowest));
  return hash;
}

/// What a request of this space is dear by.
std::uint64_t weight(const request_counters& c) {
  return std::max({c.sectors, c.wavefronts, c.distinct_words, c.same_address_lanes});
}

}  // namespace

void request_examples::launch_begins(const launch_info&) {
  places_.clear();
  last_.clear();
}

void request_examples::block_begins(const block_info& b) {
  block_ = &b;
  nth_ = 0;
}

void request_examples::request(const warp_request& r) {
  if (r.pattern_id >= last_.size()) last_.resize(r.pattern_id + 1);
  last_[r.pattern_id] = {};
  if (r.space == memory_space::local || r.is_extra_filter_tap) return;
  const auto lowest = r.addresses[std::countr_zero(r.active)];
  kept_of_place& of = places_[access_place(r)];
  const std::uint64_t pattern = pattern_of(r, lowest);
  last_[r.pattern_id] = {&of, pattern};
  ++nth_;
  const moment when{block_->index, r.warp, nth_};
  const auto known = of.patterns.find(pattern);
  const std::uint64_t draw = mix64(mix64(when.block << 8 ^ when.warp) ^ when.nth);
  if (known != of.patterns.end() && known->second.when < when && draw >= of.at_random.draw) {
    ++known->second.times;  // nothing about it is new
    return;
  }
  kept one{.when = when, .block = block_->where, .pattern = pattern, .draw = draw, .active = r.active};
  const unsigned in_warp = std::min(warp_size, block_->threads - r.warp * warp_size);
  one.is_partial = static_cast<unsigned>(std::popcount(r.active)) < in_warp;
  for (lane_mask rest = r.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    one.at[lane] = r.addresses[lane];
  }
  one.cost = cost_of(r);
  one.times = 1;
  take(of, one);
}

void request_examples::repeated(std::uint32_t pattern_id, std::uint64_t times) {
  const place_and_pattern& last = last_[pattern_id];
  if (last.of == nullptr) return;  // of local memory
  if (const auto at = last.of->patterns.find(last.pattern); at != last.of->patterns.end()) at->second.times += times;
}

bool request_examples::is_worse(const kept& one, const kept& than) {
  if (than.active == 0) return true;
  return std::tuple(weight(than.cost), one.when) < std::tuple(weight(one.cost), than.when);
}

void request_examples::take(kept_of_place& of, const kept& one) {
  if (is_worse(one, of.worst)) of.worst = one;
  if (one.is_partial && (of.first_partial.active == 0 || one.when < of.first_partial.when)) of.first_partial = one;
  if (of.at_random.active == 0 || std::tuple(one.draw, one.when) < std::tuple(of.at_random.draw, of.at_random.when))
    of.at_random = one;
  const auto [at, fresh] = of.patterns.try_emplace(one.pattern, one);
  if (!fresh) {
    const std::uint64_t sum = at->second.times + one.times;
    if (one.when < at->second.when) at->second = one;
    at->second.times = sum;
  }
  // A hash that once was too large stays so: what is left was counted from its first request on.
  for (; of.patterns.size() > most_patterns; of.has_more = true) of.patterns.erase(std::prev(of.patterns.end()));
}

void request_examples::take_all(kept_of_place& of, const kept_of_place& theirs) {
  of.has_more |= theirs.has_more;
  for (const kept* one : {&theirs.worst, &theirs.first_partial, &theirs.at_random})
    if (one->active != 0) {
      kept again = *one;
      again.times = 0;  // counted below, where it is counted at all
      take(of, again);
    }
  for (const auto& [pattern, one] : theirs.patterns) take(of, one);
}

void request_examples::merge(const request_examples& other) {
  for (const auto& [where, theirs] : other.places_) take_all(places_[where], theirs);
}

std::vector<request_example> request_examples::chosen(const kept_of_place& of) {
  const auto most = std::ranges::max_element(of.patterns, [](const auto& a, const auto& b) {
    return std::tuple(a.second.times, b.second.when) < std::tuple(b.second.times, a.second.when);
  });
  std::vector<request_example> examples;
  const auto add = [&](const kept& one, kept_for why) {
    if (one.active == 0) return;
    for (request_example& e : examples)
      if (e.pattern == one.pattern) return e.reasons.push_back(why);
    const auto counted = of.patterns.find(one.pattern);
    examples.push_back({.reasons = {why},
                        .pattern = one.pattern,
                        .block = one.block,
                        .warp = one.when.warp,
                        .times = counted == of.patterns.end() ? 0 : counted->second.times,
                        .active = one.active,
                        .addresses = one.at,
                        .cost = one.cost});
  };
  add(most->second, kept_for::most_frequent);
  add(of.worst, kept_for::worst);
  add(of.first_partial, kept_for::first_partial);
  add(of.at_random, kept_for::at_random);
  return examples;
}

std::vector<example_place> request_examples::resolve(const std::function<source_line(site)>& line_of,
                                                     const memory_map& names) const {
  // A line may be several places of the code: copies of an unrolled loop, a function's body at each call.
  std::map<std::tuple<source_line, memory_space, access, std::string, variable_id, std::uint32_t>, kept_of_place> lines;
  for (const auto& [where, of] : places_)
    take_all(
        lines[{line_of(where.where), where.space, where.kind, names.name(where.variable), where.variable, where.width}],
        of);
  std::vector<example_place> all;
  for (const auto& [key, of] : lines) {
    const auto& [where, space, kind, name, id, width] = key;
    example_place made{.where = where,
                       .space = space,
                       .kind = kind,
                       .variable = name,
                       .begin = 0,
                       .bytes = 0,
                       .width = width,
                       .patterns = static_cast<std::uint32_t>(of.patterns.size()),
                       .has_more_patterns = of.has_more,
                       .examples = chosen(of)};
    if (id != 0) {
      made.begin = names.region(id).begin;
      made.bytes = names.region(id).bytes;
    }
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace simtlab::emulator

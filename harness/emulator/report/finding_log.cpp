#include "report/finding_log.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/mix64.h"
#include "report/barrier_gap.h"

namespace simtlab::emulator {
namespace {

std::string warp_advice_text(bool races_between_warps) {
  return races_between_warps
             ? " Put a __syncthreads() between the two accesses, where every thread of the block passes it: in this "
               "kernel threads of different warps race, too, and __syncwarp() orders none of those."
             : " Both threads are lanes of one warp. Where the lanes of one warp alone exchange values, put a "
               "__syncwarp() between the two accesses: threads that have returned would miss a __syncthreads(). Where "
               "other warps take part, put a __syncthreads() there, where every thread of the block passes it.";
}

std::string warp_alternative_text(bool races_between_warps) { return races_between_warps ? "" : warp_alternative; }

void replace_mark(std::string& message, std::string_view mark, const std::string& by) {
  if (const std::size_t at = message.find(mark); at != std::string::npos) message.replace(at, mark.size(), by);
}

}  // namespace

finding_key finding_log::key_of(rule what, site first, site second, variable_id variable) {
  return {what, std::min(first, second), std::max(first, second), variable};
}

std::size_t finding_key_hash::operator()(const finding_key& k) const {
  return mix64(mix64(std::uint64_t{k.low} << 32 | k.high) ^
               (std::uint64_t{k.variable} << 8 | static_cast<std::uint64_t>(k.what)));
}

bool finding_log::first_time(rule what, site first, site second, variable_id variable, const sighting& rank,
                             std::uint64_t times) {
  const std::lock_guard lock(mutex_);
  entry& e = entries_[key_of(what, first, second, variable)];
  const bool first_of_all = e.count == 0;
  e.count += times;
  if (!first_of_all && !(rank < e.best)) return false;
  e.best = rank;
  return true;
}

void finding_log::add(raw_finding found, variable_id variable, const sighting& rank) {
  const std::lock_guard lock(mutex_);
  entry& e = entries_[key_of(found.what, found.first.where, found.second.where, variable)];
  if (e.count == 0) e.count = 1;  // added without asking first: a fault that ends the program
  if (e.known && !(rank < e.rank)) return;
  e.known = true;
  e.rank = rank;
  e.example = std::move(found);
}

void finding_log::note_race_between_warps(const std::string& kernel) {
  const std::lock_guard lock(mutex_);
  race_between_warps_.insert(kernel);
}

std::vector<finding> finding_log::take(const std::function<source_line(site)>& line_of,
                                       const std::map<rule, severity>& overrides,
                                       const std::function<std::string(site)>& path_of) {
  std::unordered_map<finding_key, entry, finding_key_hash> taken;
  std::set<std::string> between_warps;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(entries_);
    between_warps.swap(race_between_warps_);
  }
  // Sites, not hash order, decide between examples of one rank.
  std::vector<std::pair<finding_key, const entry*>> ordered;
  for (const auto& [k, e] : taken) {
    if (e.known) ordered.emplace_back(k, &e);
  }
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    const auto tuple_of = [](const auto& p) {
      return std::tuple(p.second->rank, p.first.what, p.first.low, p.first.high, p.first.variable);
    };
    return tuple_of(a) < tuple_of(b);
  });

  using identity = std::tuple<rule, source_line, source_line, std::string>;
  std::map<identity, std::size_t> merged;
  std::vector<finding> result;
  const auto place_of = [&](const raw_place& p) {
    finding_place place{p.where == 0 ? source_line{} : line_of(p.where), p.has_thread, p.thread, p.block, p.action};
    if (p.where != 0 && path_of) place.path = path_of(p.where);
    return place;
  };
  for (const auto& [k, e] : ordered) {
    const raw_finding& raw = e->example;
    finding f{raw.what,
              default_severity(raw.what),
              raw.kernel,
              raw.variable,
              place_of(raw.first),
              place_of(raw.second),
              raw.message,
              e->count};
    if (const std::size_t mark = f.message.find(barrier_gap_mark); mark != std::string::npos) {
      const source_line barrier = raw.barrier == 0 ? source_line{} : line_of(raw.barrier);
      f.message.replace(mark, std::string_view(barrier_gap_mark).size(),
                        barrier_gap_text(f.first.where, f.second.where, barrier));
    }
    replace_mark(f.message, warp_advice_mark, warp_advice_text(between_warps.contains(raw.kernel)));
    replace_mark(f.message, warp_alternative_mark, warp_alternative_text(between_warps.contains(raw.kernel)));
    if (const auto o = overrides.find(raw.what); o != overrides.end()) f.level = o->second;
    const source_line low = std::min(f.first.where, f.second.where), high = std::max(f.first.where, f.second.where);
    const auto [at, fresh] = merged.try_emplace(identity{f.what, low, high, f.variable}, result.size());
    if (fresh) {
      result.push_back(std::move(f));
    } else {
      result[at->second].count += f.count;
    }
  }
  // Which of a race's writes were seen first decides whether it looked like one of equal values for a while. And a guess
  // of one launch, or of one copy of the code, may have been none in another.
  std::erase_if(result, [&](const finding& f) {
    if (f.what != rule::same_value_race && f.what != rule::first_guess_race) return false;
    const auto [low, high] = std::minmax(f.first.where, f.second.where);
    return merged.contains({rule::shared_race, low, high, f.variable}) ||
           merged.contains({rule::global_race, low, high, f.variable});
  });
  // A barrier that some threads don't come to is why the others race.
  std::set<std::string> racy_kernels;
  for (const finding& f : result)
    if (f.what == rule::shared_race || f.what == rule::global_race) racy_kernels.insert(f.kernel);
  const auto is_cause = [&](const finding& f) {
    return (f.what == rule::divergent_barrier || f.what == rule::exited_before_barrier) &&
           racy_kernels.contains(f.kernel);
  };
  std::sort(result.begin(), result.end(), [&](const finding& a, const finding& b) {
    return std::tuple(-static_cast<int>(a.level), !is_cause(a), a.first.where, a.what, a.second.where, a.variable) <
           std::tuple(-static_cast<int>(b.level), !is_cause(b), b.first.where, b.what, b.second.where, b.variable);
  });
  return result;
}

}  // namespace simtlab::emulator

#include "costs/counter_table.h"

#include <map>
#include <tuple>

namespace simtlab::emulator {

std::uint32_t counter_table::row_of(const access_place& k) {
  const auto [at, fresh] = index_.try_emplace(k, static_cast<std::uint32_t>(rows_.size()));
  if (fresh) rows_.push_back({k, {}});
  return at->second;
}

void counter_table::add(const warp_request& request, const request_counters& cost) {
  const access_place k(request);
  if (request.pattern_id >= last_.size()) last_.resize(request.pattern_id + 1);
  added& last = last_[request.pattern_id];
  if (last.row == no_row || rows_[last.row].what != k) last.row = row_of(k);
  last.cost = cost;
  rows_[last.row].sum += cost;
}

void counter_table::repeat(std::uint32_t pattern_id, std::uint64_t n) {
  rows_[last_[pattern_id].row].sum += last_[pattern_id].cost.times(n);
}

void counter_table::merge(const counter_table& other) {
  for (const row& theirs : other.rows_) rows_[row_of(theirs.what)].sum += theirs.sum;
}

void counter_table::clear() {
  last_.clear();
  rows_.clear();
  index_.clear();
}

std::vector<access_counters> counter_table::resolve(const std::function<source_line(site)>& line_of,
                                                    const std::function<std::string(variable_id)>& name_of,
                                                    const std::function<bool(variable_id)>& is_given) const {
  std::map<std::tuple<source_line, memory_space, access, std::string, variable_id>, access_counters> by_line;
  for (const row& r : rows_) {
    const variable_id id = r.what.variable;
    access_counters a{line_of(r.what.where),          r.what.space, r.what.kind, name_of(id),
                      {id, is_given && is_given(id)}, r.what.width, {}};
    access_counters& merged = by_line.try_emplace({a.where, a.space, a.kind, a.variable, id}, a).first->second;
    if (merged.width != r.what.width) merged.width = 0;
    merged.counters += r.sum;
  }
  std::vector<access_counters> sorted;
  sorted.reserve(by_line.size());
  for (auto& [identity, a] : by_line) sorted.push_back(std::move(a));
  return sorted;
}

}  // namespace simtlab::emulator

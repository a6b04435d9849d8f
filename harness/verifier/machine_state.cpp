#include "verifier/machine_state.h"

#include <algorithm>
#include <map>

namespace simtlab::verifier {
namespace {

bool overlap(const slot& s, std::int64_t at, std::int64_t bytes) { return s.at < at + bytes && at < s.at + s.bytes; }

/// Gives each location at a block's begin its value: the one that all ways bring, or a new one, the same for all locations
/// that hold the same on each way.
class merger {
 public:
  merger(value_table& table, const control_flow& flow, int block, bool is_settling)
      : table_(table), flow_(flow), block_(block), is_settling_(is_settling) {}

  /// `before`: what the location was found to hold when the block was last looked at. A way round a loop that brings just
  /// that says nothing against what the other ways bring.
  value merge(long location, std::vector<std::optional<value>> brought, std::optional<value> before) {
    const bool stays = is_settling_ && before && is_own(*before);
    if (before && is_own(*before) && !is_settling_) {
      std::vector<std::optional<value>> others = brought;
      std::erase(others, before);
      if (!others.empty()) brought = std::move(others);
    }
    const bool known = std::all_of(brought.begin(), brought.end(), [](const auto& v) { return v.has_value(); });
    if (!stays && known &&
        std::all_of(brought.begin(), brought.end(), [&](const auto& v) { return *v == *brought.front(); }) &&
        survives(*brought.front()))
      return *brought.front();
    const auto fresh = [&] { return table_.of(value_table::merged, block_, location, 0, 0, block_); };
    if (!known) return fresh();
    std::vector<std::pair<int, std::uint64_t>> tuple;
    tuple.reserve(brought.size());
    for (const auto& v : brought) tuple.emplace_back(v->sum, v->constant);
    if (is_settling_ && before) tuple.emplace_back(before->sum, before->constant);
    const auto found = classes_.find(tuple);
    return found != classes_.end() ? found->second : classes_.emplace(std::move(tuple), fresh()).first->second;
  }
  /// Whether it still is the value that it was when it was made: not of an earlier turn of a loop.
  [[nodiscard]] bool survives(value v) const { return flow_.leads_through(block_, table_.block(v)); }

 private:
  /// Whether it was made because ways met here.
  [[nodiscard]] bool is_own(value v) const {
    const auto& terms = table_.terms(v);
    return terms.size() == 1 && table_.unknown_of(terms.front().unknown).what == value_table::merged &&
           table_.block(v) == block_;
  }

  value_table& table_;
  const control_flow& flow_;
  int block_;
  bool is_settling_;
  std::map<std::vector<std::pair<int, std::uint64_t>>, value> classes_;
};

long slot_location(const slot& s) { return 1000 + (s.at * 64 + s.bytes) * 2; }

}  // namespace

std::optional<value> machine_state::load_from(const std::vector<slot>& from, value_table& table, std::int64_t at,
                                              int bytes) {
  for (const slot& s : from) {
    if (s.at != at) continue;
    if (s.bytes == bytes) return s.holds;
    if (bytes == 4 && s.bytes == 8) return table.low(s.holds);
  }
  return std::nullopt;
}

void machine_state::store_to(std::vector<slot>& to, std::int64_t at, std::int64_t bytes, std::optional<value> v) {
  std::erase_if(to, [&](const slot& s) { return overlap(s, at, bytes); });
  if (v && (bytes == 4 || bytes == 8)) to.push_back({at, static_cast<int>(bytes), *v});
}

std::optional<value> machine_state::load_pushed(value_table& table, value at, int bytes) const {
  if (!moving || !moving->holds(at)) return std::nullopt;
  return load_from(pushed, table, static_cast<std::int64_t>(at.constant), bytes);
}

bool machine_state::store_pushed(value at, std::uint64_t bytes, std::optional<value> v) {
  if (!moving || !moving->holds(at, bytes)) return false;
  store_to(pushed, static_cast<std::int64_t>(at.constant), static_cast<std::int64_t>(bytes), v);
  return true;
}

machine_state meet(value_table& table, const control_flow& flow, int block,
                   const std::vector<const machine_state*>& before, const machine_state& known, bool is_settling) {
  machine_state made;
  made.is_reached = true;
  merger merge(table, flow, block, is_settling);
  std::vector<std::optional<value>> brought(before.size());
  const auto take = [&](long location, auto get) {
    for (std::size_t n = 0; n < before.size(); ++n) brought[n] = get(*before[n]);
    return merge.merge(location, brought, known.is_reached ? std::optional<value>(get(known)) : std::nullopt);
  };
  for (std::size_t r = 0; r < machine_state::registers; ++r)
    made.general[r] = take(static_cast<long>(r), [r](const machine_state& s) { return s.general[r]; });
  for (std::size_t r = 0; r < machine_state::logs; ++r)
    made.log[r] = take(static_cast<long>(100 + r), [r](const machine_state& s) { return s.log[r]; });
  const machine_state& first = *before.front();
  const auto take_slot = [&](const slot& s, long location, auto load, std::vector<slot>& to) {
    bool everywhere = true;
    const auto held = [&](const machine_state& from) {
      auto v = load(from);
      everywhere &= v.has_value() || &from == &known;
      return v;
    };
    const value v = take(location, held);
    if (everywhere) to.push_back({s.at, s.bytes, v});
  };
  for (const slot& s : first.slots)
    take_slot(
        s, slot_location(s), [&](const machine_state& from) { return from.load(table, s.at, s.bytes); }, made.slots);
  if (const value top = made.general[rsp]; first.moving && first.moving->holds(top))
    for (const slot& s : first.pushed) {
      const value at{top.sum, static_cast<std::uint64_t>(s.at)};
      take_slot(
          s, slot_location(s) + 1, [&](const machine_state& from) { return from.load_pushed(table, at, s.bytes); },
          made.pushed);
    }
  for (vouched v : first.vouchers) {
    if (!merge.survives(v.at)) continue;
    const bool everywhere = std::all_of(before.begin(), before.end(), [&](const machine_state* b) {
      const auto found = std::find_if(b->vouchers.begin(), b->vouchers.end(),
                                      [&](const vouched& o) { return o.kind == v.kind && o.at == v.at; });
      if (found == b->vouchers.end()) return false;
      v.bytes = std::min(v.bytes, found->bytes);
      v.is_used |= found->is_used;
      return true;
    });
    if (everywhere) made.vouchers.push_back(v);
  }
  const auto in_all = [&](auto member, const auto& what) {
    return std::all_of(before.begin(), before.end(), [&](const machine_state* b) {
      return std::find((b->*member).begin(), (b->*member).end(), what) != (b->*member).end();
    });
  };
  for (const value v : first.nonzero)
    if (merge.survives(v) && in_all(&machine_state::nonzero, v)) made.nonzero.push_back(v);
  made.bundle = first.bundle;
  made.matched = first.matched;
  made.last_write = first.last_write;
  made.noted = first.noted;
  made.deepest = first.deepest;
  for (const machine_state* b : before)
    made.deepest = made.deepest && b->deepest ? std::optional(std::max(*made.deepest, *b->deepest)) : std::nullopt;
  made.is_recorded = made.is_compared = true;
  for (const machine_state* b : before) {
    made.is_broken |= b->is_broken;
    made.is_exposed |= b->is_exposed;
    made.is_recorded &= b->is_recorded;
    made.is_compared &= b->is_compared;
    if (b->matched != made.matched) made.matched.reset();
    if (b->noted != made.noted) made.noted.reset();
    if (b->last_write != made.last_write) made.last_write.reset();
    if (b->bundle == made.bundle) continue;
    made.is_broken |= !b->bundle.is_complete() || !made.bundle.is_complete();
    made.bundle = {};
  }
  return made;
}

}  // namespace simtlab::verifier

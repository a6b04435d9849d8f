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
  merger(value_table& table, const control_flow& flow, int block) : table_(table), flow_(flow), block_(block) {}

  value merge(long location, const std::vector<std::optional<value>>& brought) {
    const bool known = std::all_of(brought.begin(), brought.end(), [](const auto& v) { return v.has_value(); });
    if (known && std::all_of(brought.begin(), brought.end(), [&](const auto& v) { return *v == *brought.front(); }) &&
        survives(*brought.front()))
      return *brought.front();
    const auto fresh = [&] { return table_.of(value_table::merged, block_, location, 0, 0, block_); };
    if (!known) return fresh();
    std::vector<std::pair<int, std::uint64_t>> tuple;
    for (const auto& v : brought) tuple.emplace_back(v->sum, v->constant);
    const auto found = classes_.find(tuple);
    return found != classes_.end() ? found->second : classes_.emplace(std::move(tuple), fresh()).first->second;
  }
  /// Whether it still is the value that it was when it was made: not of an earlier turn of a loop.
  [[nodiscard]] bool survives(value v) const { return flow_.leads_through(block_, table_.block(v)); }

 private:
  value_table& table_;
  const control_flow& flow_;
  int block_;
  std::map<std::vector<std::pair<int, std::uint64_t>>, value> classes_;
};

long slot_location(const slot& s) { return 1000 + (s.at * 64 + s.bytes) * 2; }

}  // namespace

std::optional<value> machine_state::load(value_table& table, std::int64_t at, int bytes) const {
  const slot* other = nullptr;
  for (const slot& s : slots) {
    if (s.at == at && s.bytes == bytes) return s.holds;
    if (overlap(s, at, bytes)) other = &s;
  }
  if (other == nullptr) return table.of(value_table::entry_slot, at, bytes);
  if (other->at == at && bytes == 4 && other->bytes == 8) return table.low(other->holds);
  return std::nullopt;
}

void machine_state::store(value_table& table, std::int64_t at, int bytes, value v, long instruction, int block) {
  std::erase_if(slots, [&](const slot& s) { return overlap(s, at, bytes) && s.at >= at && s.at + s.bytes <= at + bytes; });
  for (slot& s : slots)  // one that was merely forgotten would look as if nothing had been stored to it
    if (overlap(s, at, bytes)) s.holds = table.of(value_table::result, instruction, 1000 + s.at, s.bytes, 0, block);
  slots.push_back({at, bytes, v});
}

machine_state meet(value_table& table, const control_flow& flow, int block,
                   const std::vector<const machine_state*>& before) {
  machine_state made;
  made.is_reached = true;
  merger merge(table, flow, block);
  std::vector<std::optional<value>> brought(before.size());
  const auto take = [&](long location, auto get) {
    for (std::size_t n = 0; n < before.size(); ++n) brought[n] = get(*before[n]);
    return merge.merge(location, brought);
  };
  for (std::size_t r = 0; r < machine_state::registers; ++r)
    made.general[r] = take(static_cast<long>(r), [r](const machine_state& s) { return s.general[r]; });
  for (std::size_t r = 0; r < machine_state::logs; ++r)
    made.log[r] = take(static_cast<long>(100 + r), [r](const machine_state& s) { return s.log[r]; });
  for (const machine_state* b : before) {
    for (const slot& s : b->slots) {
      const auto same = [&](const slot& m) { return m.at == s.at && m.bytes == s.bytes; };
      if (std::any_of(made.slots.begin(), made.slots.end(), same)) continue;
      const value v = take(slot_location(s), [&](const machine_state& from) { return from.load(table, s.at, s.bytes); });
      made.slots.push_back({s.at, s.bytes, v});
    }
  }
  const machine_state& first = *before.front();
  for (vouched v : first.vouchers) {
    if (!merge.survives(v.at)) continue;
    const bool everywhere = std::all_of(before.begin(), before.end(), [&](const machine_state* b) {
      const auto found = std::find_if(b->vouchers.begin(), b->vouchers.end(), [&](const vouched& o) {
        return o.kind == v.kind && o.at == v.at && o.bytes == v.bytes;
      });
      if (found == b->vouchers.end()) return false;
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
  for (const auto& b : first.bounds)
    if (merge.survives(b.what) && in_all(&machine_state::bounds, b)) made.bounds.push_back(b);
  made.bundle = first.bundle;
  made.matched = first.matched;
  for (const machine_state* b : before) {
    made.is_broken |= b->is_broken;
    if (b->matched != made.matched) made.matched.reset();
    if (b->bundle == made.bundle) continue;
    made.is_broken |= !b->bundle.is_complete() || !made.bundle.is_complete();
    made.bundle = {};
  }
  return made;
}

}  // namespace simtlab::verifier

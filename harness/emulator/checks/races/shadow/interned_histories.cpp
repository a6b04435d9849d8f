#include "checks/races/shadow/interned_histories.h"

#include <algorithm>
#include <bit>

#include "core/mix64.h"

namespace simtlab::emulator {
namespace {

constexpr std::size_t longest_history = 512;  // entries: beyond, steps would cost more than they tell
constexpr std::size_t many_sets = interned_histories::most_sets / 2;

constexpr labels all_blocks = static_cast<labels>(~labels{63});
constexpr labels home = label::thread_a | label::thread_b | label::thread_other | label::thread_before;

/// Whether `x` and `y`, two single labels, are for certain two agents that nothing orders.
constexpr bool are_unordered(labels x, labels y) {
  if (x == y) return false;
  const bool both_home = (x & home) != 0 && (y & home) != 0;
  return !(both_home && (x == label::thread_before || y == label::thread_before));
}

constexpr bool any_unordered(labels x, labels y) {
  for (labels left = x; left != 0; left = static_cast<labels>(left & (left - 1))) {
    for (labels right = y; right != 0; right = static_cast<labels>(right & (right - 1))) {
      if (are_unordered(static_cast<labels>(left & -left), static_cast<labels>(right & -right))) return true;
    }
  }
  return false;
}

/// Two blocks are enough to conflict with anything: more labels would only multiply the histories.
constexpr labels joined(labels old, labels added) {
  auto all = static_cast<labels>(old | added);
  while (std::popcount(static_cast<labels>(all & all_blocks)) > 2) {
    all = static_cast<labels>(all & ~std::bit_floor(static_cast<labels>(all & all_blocks)));
  }
  return all;
}

}  // namespace

/// 0: no conflict, 1: a race of equal values, 2: a race.
int interned_histories::severity_of(const entry& a, const entry& b, const history& h) {
  const auto width = static_cast<std::uint16_t>(a.what.width | b.what.width);
  if (a.what.kind == access::atomic && b.what.kind == access::atomic) {
    const bool narrow = (width & width_trait::in_block) != 0;
    return narrow && any_unordered(static_cast<labels>(a.by & all_blocks), static_cast<labels>(b.by & all_blocks)) ? 2
                                                                                                                   : 0;
  }
  if (a.what.kind == b.what.kind && a.what.kind == access::read) return 0;
  const bool has_read = a.what.kind == access::read || b.what.kind == access::read;
  if (has_read && (width & width_trait::changes_nothing) != 0) return 0;
  if (!any_unordered(a.by, b.by)) return 0;
  if (a.what.kind != access::write || b.what.kind != access::write || h.differs) return 2;
  return h.before_differs && ((a.by | b.by) & label::thread_before) != 0 ? 2 : 1;
}

interned_histories::interned_histories() { restart(); }

void interned_histories::restart() {
  const std::lock_guard lock(mutex_);
  exhausted_ = false;
  if (!sets_.empty() && sets_.size() < many_sets) return;
  sets_.clear();
  index_.clear();
  sets_.emplace_back();
  ++generation_;
}

bool interned_histories::is_exhausted() const {
  const std::lock_guard lock(mutex_);
  return exhausted_;
}

interned_histories::history interned_histories::extended(const history& from, const history_access& a) {
  history h = from;
  h.differs |= a.differs;
  const access_conflict::side what{a.where, a.kind, a.width};
  const auto at = std::lower_bound(h.entries.begin(), h.entries.end(), what,
                                   [](const entry& e, const access_conflict::side& w) { return e.what < w; });
  if (at != h.entries.end() && at->what == what) {
    at->by = joined(at->by, a.by);
  } else {
    h.entries.insert(at, {what, joined(0, a.by)});
  }
  return h;
}

template <class Found>
void interned_histories::each_conflict(const history& from, const history_access& a, Found&& found) {
  const history to = extended(from, a);
  const auto labels_before = [&from](const entry& e) {
    const auto at =
        std::find_if(from.entries.begin(), from.entries.end(), [&e](const entry& o) { return o.what == e.what; });
    return at == from.entries.end() ? labels{0} : at->by;
  };
  const access_conflict::side what{a.where, a.kind, a.width};
  const auto is_this = [&what](const entry& e) { return e.what == what; };
  const bool newly_differs = to.differs && !from.differs;
  for (std::size_t i = 0; i < to.entries.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const entry* one = &to.entries[j];
      const entry* two = &to.entries[i];
      if (!newly_differs && !is_this(*one) && !is_this(*two)) continue;
      entry old_one = *one, old_two = *two;
      old_one.by = labels_before(*one);
      old_two.by = labels_before(*two);
      const int now = severity_of(*one, *two, to);
      if (now <= severity_of(old_one, old_two, from)) continue;
      if (is_this(*one)) {
        std::swap(one, two);
        std::swap(old_one, old_two);
      }
      if (!found(access_conflict{one->what, old_one.by, two->what, now == 1,
                                 one->what.kind == access::atomic && two->what.kind == access::atomic}))
        return;
    }
  }
}

history_id interned_histories::intern(history h, history_id otherwise) {
  std::size_t hash = (h.differs ? 1U : 0U) + (h.before_differs ? 2U : 0U);
  for (const entry& e : h.entries) {
    hash = mix64(hash ^ (std::uint64_t{e.what.where} << 32 | std::uint64_t{e.what.width} << 16 | e.by));
    hash += static_cast<std::uint64_t>(e.what.kind);
  }
  const auto [begin, end] = index_.equal_range(hash);
  for (auto i = begin; i != end; ++i) {
    if (sets_[i->second] == h) return i->second;
  }
  if (sets_.size() == most_sets || h.entries.size() > longest_history) {
    exhausted_ = true;
    return otherwise;
  }
  const auto id = static_cast<history_id>(sets_.size());
  std::uint8_t units = 0;
  for (const entry& e : h.entries) {
    if (e.what.kind != access::write) continue;
    // Writes before that differ leave no value behind to compare with: the next write is the first.
    if (h.before_differs && e.by == label::thread_before) continue;
    const std::uint8_t unit = unit_of(e.what.width);
    units = units == 0 || units == unit ? unit : mixed_units;
  }
  if (units != 0 && h.differs) units = mixed_units;
  units_[id].store(units, std::memory_order_relaxed);
  sets_.push_back(std::move(h));
  index_.emplace(hash, id);
  return id;
}

history_transition interned_histories::add(history_id from, const history_access& a) {
  const std::lock_guard lock(mutex_);
  history_transition step;
  each_conflict(sets_[from], a, [&step](const access_conflict&) {
    step.conflicts = true;
    return false;
  });
  step.next = intern(extended(sets_[from], a), from);
  return step;
}

std::vector<access_conflict> interned_histories::conflicts(history_id from, const history_access& a) const {
  const std::lock_guard lock(mutex_);
  std::vector<access_conflict> all;
  each_conflict(sets_[from], a, [&all](const access_conflict& c) {
    all.push_back(c);
    return true;
  });
  return all;
}

history_id interned_histories::before(history_id from, bool differs) {
  const std::lock_guard lock(mutex_);
  history h = sets_[from];
  h.before_differs |= differs || h.differs;
  h.differs = false;
  for (entry& e : h.entries) {
    if ((e.by & home) != 0) e.by = static_cast<labels>((e.by & ~home) | label::thread_before);
  }
  return intern(std::move(h), from);
}

bool interned_histories::is_saturated(history_id id, const history_access& a) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(sets_[id].entries.begin(), sets_[id].entries.end(), [&](const entry& e) {
    return e.what == access_conflict::side{a.where, a.kind, a.width} &&
           std::popcount(static_cast<labels>(e.by & all_blocks)) > 1;
  });
}

bool interned_histories::has_write_besides(history_id id, labels by) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(sets_[id].entries.begin(), sets_[id].entries.end(),
                     [by](const entry& e) { return e.what.kind == access::write && (e.by & ~by) != 0; });
}

}  // namespace simtlab::emulator

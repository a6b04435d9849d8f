#include "runtime/machine_order.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace simtlab::emulator {
namespace {

using sass::followed_access;
using sass::strong_access;

/// Looks of a warp that find nothing new, after which others run.
constexpr unsigned most_looks = 64;

unsigned lowest_in(lane_mask lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

std::uint64_t word_at(const followed_access& a, unsigned lane) {
  std::uint64_t value = 0;
  std::memcpy(&value, a.bytes[lane], std::min<std::size_t>(a.width, sizeof value));
  return value;
}

}  // namespace

void machine_order::block_begins(std::uint64_t index, unsigned threads) {
  index_ = index;
  order_ = launch_.order == nullptr ? nullptr : &launch_.order->block_begins(index, threads);
  probes_.assign(threads, {});
  looks_.assign((threads + warp_size - 1) / warp_size, {});
}

void machine_order::block_ends() {
  if (order_ != nullptr) launch_.order->block_ends(index_);
  order_ = nullptr;
}

strong_access machine_order::strength_of(const followed_access& a) const {
  if (a.in_shared != 0 && (a.lanes & ~a.in_shared) == 0) {
    const address at = a.addresses[lowest_in(a.in_shared)];
    if (std::ranges::any_of(kernel_.volatile_shared, [at](const address_range& r) { return r.contains(at); }))
      return strong_access::by_volatile;
  }
  return kernel_.code->code()[a.where - kernel_.first_site].strength;
}

sync_location machine_order::location_of(const followed_access& a, unsigned lane) const {
  return {a.addresses[lane], (a.in_shared >> lane & 1) != 0 ? index_ + 1 : 0};
}

/// Observers of machine code are told of everything at once, so that nobody sees a thread as it was.
void machine_order::see(unsigned thread, std::optional<std::uint32_t> mark) {
  if (mark) order_->see(thread, *mark);
  order_->forget_marks();
}

void machine_order::fence(site, std::uint32_t warp, lane_mask lanes, bool in_block) {
  if (looks_[warp].in_vain > 0) return;  // nothing was learnt or done since the last one
  for (; order_ != nullptr && lanes != 0; lanes &= lanes - 1) {
    const unsigned thread = warp * warp_size + lowest_in(lanes);
    see(thread, order_->fence(thread, !in_block));
  }
}

void machine_order::passes_nop(site where, std::uint32_t warp, lane_mask lanes) {
  lane_mask& all = looks_[warp].may_acquire;
  if ((lanes & all) != 0) fence(where, warp, std::exchange(all, 0), true);
}

void machine_order::begins(const followed_access& a) {
  if (a.kind != access::atomic) {
    const strong_access strength = strength_of(a);
    if (strength == strong_access::by_volatile) launch_.volatiles->mark(a.where);
    if (strength == strong_access::none) forget_looks(a.warp);
    if (strength == strong_access::none || a.kind == access::read) return;
  }
  if (order_ == nullptr) return;
  for (lane_mask rest = a.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_in(rest), thread = a.warp * warp_size + lane;
    see(thread, order_->store_begins(thread, location_of(a, lane)));
  }
}

void machine_order::order_access(const followed_access& a, unsigned lane, unsigned thread, bool is_volatile) {
  sync_access what{.reads = a.kind != access::write,
                   .writes = a.kind != access::read,
                   .replaces = a.kind == access::write,
                   .in_block = a.in_block,
                   .is_volatile = is_volatile};
  if (a.before != nullptr) {
    what.from = a.before[lane];
    what.to = a.after[lane];
    what.takes = what.from != what.to && a.is_asked;
    what.writes = a.compared == nullptr || what.from != what.to;
  }
  see(thread, order_->access(thread, location_of(a, lane), what));
}

bool machine_order::is_made(const followed_access& a) {
  follow_guess(a);
  if (order_ == nullptr) return false;
  const strong_access strength = a.kind == access::atomic ? strong_access::by_atomic : strength_of(a);
  if (strength == strong_access::none) return false;
  for (lane_mask rest = a.lanes; rest != 0; rest &= rest - 1)
    order_access(a, lowest_in(rest), a.warp * warp_size + lowest_in(rest), strength == strong_access::by_volatile);
  for (lane_mask rest = a.lanes == 0 ? 0 : a.stands_for; rest != 0; rest &= rest - 1)
    order_access(a, lowest_in(a.lanes), a.warp * warp_size + lowest_in(rest), false);
  if (a.in_block && a.kind != access::write) looks_[a.warp].may_acquire |= a.lanes | a.stands_for;
  bool changes = a.kind != access::read && !a.changes_nothing;
  if (a.compared != nullptr) {
    changes = false;
    for (lane_mask rest = a.lanes; rest != 0; rest &= rest - 1)
      changes |= a.before[lowest_in(rest)] != a.after[lowest_in(rest)];
  }
  return looks_in_vain(a, changes);
}

void machine_order::follow_guess(const followed_access& a) {
  if (launch_.probes == nullptr) return;
  const std::size_t number = a.where - kernel_.first_site - kernel_.function->first_place;
  if (a.kind == access::read && number < kernel_.guesses.size() && kernel_.guesses[number])
    for (lane_mask rest = a.lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = lowest_in(rest);
      launch_.probes->probe(probes_[a.warp * warp_size + lane],
                            {a.where, reinterpret_cast<address>(a.bytes[lane]), a.width, word_at(a, lane)});
    }
  for (lane_mask rest = a.lanes; a.compared != nullptr && rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_in(rest);
    launch_.probes->swap(probes_[a.warp * warp_size + lane], reinterpret_cast<address>(a.bytes[lane]), a.width,
                         a.compared[lane]);
  }
}

void machine_order::forget_looks(std::uint32_t warp) {
  looks_[warp].found.clear();
  looks_[warp].in_vain = 0;
}

std::pair<site, std::uint32_t> machine_order::looking() const {
  for (std::size_t w = 0; w < looks_.size(); ++w)
    if (looks_[w].in_vain > 0 && !looks_[w].found.empty())
      return {looks_[w].found.back().where,
              static_cast<std::uint32_t>(w) * warp_size + lowest_in(looks_[w].found.back().lanes)};
  return {0, 0};
}

bool machine_order::looks_in_vain(const followed_access& a, bool changes) {
  if (changes || a.lanes == 0) {
    forget_looks(a.warp);
    has_changed_ = true;
    return false;
  }
  const unsigned lane = lowest_in(a.lanes);
  const look now{a.where, a.lanes, a.bytes[lane], a.before != nullptr ? a.before[lane] : word_at(a, lane)};
  looks& l = looks_[a.warp];
  const auto same_place = [&](const look& o) { return o.where == now.where && o.lanes == now.lanes; };
  const auto last = std::ranges::find_if(l.found, same_place);
  if (last == l.found.end() || *last != now) {
    if (last == l.found.end())
      l.found.push_back(now);
    else
      *last = now;
    l.in_vain = 0;
    has_changed_ = true;
    return false;
  }
  std::iter_swap(last, l.found.end() - 1);  // the latest is the last
  return ++l.in_vain % most_looks == 0;
}

}  // namespace simtlab::emulator

#include "checks/races/vector_clock/happens_before.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace simtlab::emulator {

void happens_before::launch_begins() {
  blocks_.clear();
  locations_.clear();
  locks_.clear();
}

block_order& happens_before::block_begins(std::uint64_t index, unsigned threads) {
  auto& block = blocks_[index];
  block = std::make_unique<block_order>(*this, index, threads);
  return *block;
}

void happens_before::block_ends(std::uint64_t index) { blocks_.erase(index); }

std::uint32_t block_order::fence(unsigned thread, bool device_scope) {
  running_thread& t = threads_[thread];
  ++now_;
  t.now = now_;
  fenced_since_barrier_ = true;
  t.fenced = std::max(t.fenced, device_scope ? fence_scope::device : fence_scope::block);
  join_into(t.known, t.taken_block);
  t.taken_block.reset();
  if (device_scope) {
    join_into(t.known, t.taken_device);
    t.taken_device.reset();
  }
  clock_ref released = known_;
  join_into(released, t.known);
  vector_clock& clock = own(released);
  clock.know_block(index_, all_until_);
  clock.know_thread(index_, thread, now_);
  t.released_block = released;
  if (device_scope) t.released_device = std::move(released);
  t.bare = false;
  t.stored.reset();
  return mark_of(t, true);
}

std::uint32_t block_order::mark_of(const running_thread& t, bool is_fence) {
  marks_.push_back({{t.now, t.known, t.fenced, t.holds, t.bare}, is_fence});
  return static_cast<std::uint32_t>(marks_.size() - 1);
}

std::optional<std::uint32_t> block_order::store_begins(unsigned thread, const sync_location& where) {
  running_thread& t = threads_[thread];
  if (!t.stored || *t.stored == where) return {};
  t.now = ++now_;
  t.stored.reset();
  return mark_of(t, false);
}

std::optional<std::uint32_t> block_order::access(unsigned thread, const sync_location& where, const sync_access& what) {
  running_thread& t = threads_[thread];
  const bool releases = what.writes && (t.released_block != nullptr || released_block_ != nullptr);
  happens_before::handed_on& location = locations_of(where)[where];
  const observed_store& there = location.last_store;
  const bool observes =
      what.reads && there.until != 0 && !(there.block == index_ && there.thread == thread) && !(there == t.observed);
  if (observes) t.observed = there;
  if (what.writes && what.replaces) location = {};
  location.last = {index_, thread, t.now};
  if (what.writes) location.last_write = location.last;
  if (what.writes && (!what.reads || what.from != what.to))
    location.last_store =
        stores_volatile_ ? observed_store{index_, thread, t.now, all_until_, where} : observed_store{};
  if (what.is_volatile && what.writes && t.fenced != fence_scope::none) {
    t.stored = where;
    stores_volatile_ = true;
  }
  if (releases) {
    // Before the thread takes it: the clock is then often this location's alone, and grows in place.
    if (!what.in_block) {
      join_into(location.by_device, t.released_device);
      join_into(location.by_device, released_device_);
    }
    if (location.owner != index_) location.by_block.reset();
    location.owner = index_;
    join_into(location.by_block, t.released_block);
    join_into(location.by_block, released_block_);
  }
  const bool gives_back = what.writes && t.holds != 0 && t.held == where;
  if (gives_back) {
    t.holds = 0;
    t.bare = false;
  } else if (what.takes) {
    const auto number = static_cast<lock_number>(order_.locks_.size() + 1);
    t.holds = order_.locks_.try_emplace({where.block, where.at, what.from, what.to}, number).first->second;
    t.held = where;
    t.bare = true;
  }
  if (what.reads) {
    if (!what.in_block) join_into(t.taken_device, location.by_device);
    if (location.owner == index_) join_into(t.taken_block, location.by_block);
  }
  if (!gives_back && !what.takes && !observes) return {};
  const std::uint32_t mark = mark_of(t, false);
  if (observes) {
    observed_by_marks_.push_back(t.observed);
    marks_[mark].observed = static_cast<std::uint32_t>(observed_by_marks_.size());
  }
  return mark;
}

std::uint32_t block_order::arrive(unsigned thread, const sync_location& barrier, std::uint64_t phase, bool in_block) {
  const std::uint32_t mark = fence(thread, !in_block);
  locations& all = locations_of(barrier);
  const sync_location here = of_phase(barrier, phase);
  happens_before::handed_on& now = all[here];
  if (now.phase != phase + 1) {  // the first to come
    const happens_before::handed_on& before = all[of_phase(barrier, phase + kept_phases - 1)];
    now = phase != 0 && before.phase == phase ? before : happens_before::handed_on{};
    now.phase = phase + 1;
  }
  access(thread, here, {.writes = true, .in_block = in_block});
  return mark;
}

std::uint32_t block_order::phase_ends(unsigned thread, const sync_location& barrier, std::uint64_t phase,
                                      bool in_block) {
  const sync_location here = of_phase(barrier, phase);
  if (locations_of(barrier)[here].phase == phase + 1) access(thread, here, {.reads = true, .in_block = in_block});
  return fence(thread, !in_block);
}

void block_order::barrier() {
  ++now_;
  bool has_own = false;
  auto fenced = fence_scope::none;
  for (running_thread& t : threads_) {
    has_own |= t.known != nullptr;
    join_into(known_, t.known);
    join_into(known_, t.taken_device);
    join_into(known_, t.taken_block);
    join_into(released_device_, t.released_device);
    join_into(released_block_, t.released_block);
    fenced = std::max(fenced, t.fenced);
    t = {};
    t.now = now_;
  }
  // What one thread released before the barrier another may announce behind it.
  for (running_thread& t : threads_) t.fenced = fenced;
  for (seen_thread& s : seen_) s = {now_, nullptr, fenced, 0, false};
  observed_.share();
  if (std::exchange(fenced_since_barrier_, false))
    for (auto& places : touched_) places.clear();
  all_until_ = now_;
  if (has_own) own(known_).know_block(index_, now_);  // instead of its threads one by one
  forget_marks();
}

void block_order::syncwarp(unsigned warp, lane_mask lanes) {
  ++now_;
  const auto each = [&](auto&& visit) {
    for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned thread = warp * warp_size + static_cast<unsigned>(std::countr_zero(rest));
      if (thread < threads_.size()) visit(thread);
    }
  };
  clock_ref known, released_device, released_block;
  each([&](unsigned thread) {
    join_into(known, threads_[thread].known);
    join_into(released_device, threads_[thread].released_device);
    join_into(released_block, threads_[thread].released_block);
  });
  vector_clock& clock = own(known);
  each([&](unsigned thread) { clock.know_thread(index_, thread, now_); });
  each([&](unsigned thread) {
    running_thread& t = threads_[thread];
    t.now = now_;
    t.known = known;
    t.released_device = released_device;
    t.released_block = released_block;
    t.stored.reset();
    seen_[thread] = {now_, known, t.fenced, t.holds, t.bare};
  });
}

bool block_order::publishes(unsigned thread, address at) const {
  const std::vector<address>& places = touched_[thread];
  return seen_[thread].fenced != fence_scope::none && std::find(places.begin(), places.end(), at) == places.end();
}

void block_order::touch(unsigned thread, address at) {
  std::vector<address>& places = touched_[thread];
  if (std::find(places.begin(), places.end(), at) == places.end()) places.push_back(at);
}

bool block_order::has_observed(const seen_thread& by, unsigned warp, lane_mask lanes, bool own, const sync_location& at,
                               bool writes) const {
  const locations& all = at.block == 0 ? order_.locations_ : shared_;
  const auto found = all.find(at);
  if (found == all.end()) return false;
  const auto is_known = [&](const happens_before::strong_access& a) {
    const bool is_own = a.block == index_ && a.thread / warp_size == warp && (lanes >> a.thread % warp_size & 1) != 0;
    return (own && is_own) || knows(by, a.block, a.thread, a.when);
  };
  return is_known(found->second.last) || (!writes && is_known(found->second.last_write));
}

bool block_order::knows_block(const seen_thread& by, std::uint64_t block, logical_time when) const {
  if (block == index_ && when < all_until_) return true;
  return (known_ != nullptr && known_->covers_block(block, when)) ||
         (by.known != nullptr && by.known->covers_block(block, when));
}

bool block_order::knows(const seen_thread& by, std::uint64_t block, unsigned thread, logical_time when) const {
  if (block == index_ && when < all_until_) return true;
  return (known_ != nullptr && known_->covers(block, thread, when)) ||
         (by.known != nullptr && by.known->covers(block, thread, when));
}

}  // namespace simtlab::emulator

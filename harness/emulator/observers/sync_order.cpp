#include "observers/sync_order.h"

#include <algorithm>
#include <bit>

namespace simtlab::emulator {

void sync_order::launch_begins() {
  blocks_.clear();
  locations_.clear();
}

block_order& sync_order::block_begins(std::uint64_t index, unsigned threads) {
  auto& block = blocks_[index];
  block = std::make_unique<block_order>(*this, index, threads);
  return *block;
}

void sync_order::block_ends(std::uint64_t index) { blocks_.erase(index); }

void sync_order::mark_volatile(site where) {
  if (where >= volatile_.size()) volatile_.resize(where + 1024);
  volatile_[where] = true;
}

std::uint32_t block_order::fence(unsigned thread, bool device_scope) {
  running_thread& t = threads_[thread];
  ++now_;
  t.fenced = true;
  join_into(t.known, t.taken_block);
  t.taken_block.reset();
  if (device_scope) {
    join_into(t.known, t.taken_device);
    t.taken_device.reset();
  }
  clock_ref released = known_;
  join_into(released, t.known);
  sync_clock& clock = own(released);
  clock.know_block(index_, all_until_);
  clock.know_thread(index_, thread, now_);
  t.released_block = released;
  if (device_scope) t.released_device = std::move(released);
  marks_.push_back({now_, t.known, true});
  return static_cast<std::uint32_t>(marks_.size() - 1);
}

void block_order::access(unsigned thread, const sync_location& where, const sync_access& what) {
  running_thread& t = threads_[thread];
  const bool releases = what.writes && (t.released_block != nullptr || released_block_ != nullptr);
  auto at = order_.locations_.find(where);
  if (at == order_.locations_.end()) {
    if (!releases) return;
    at = order_.locations_.try_emplace(where).first;
  }
  sync_order::handed_on& location = at->second;
  if (what.writes && what.replaces) location = {};
  if (releases) {
    // Before the thread takes it: the clock is then often this location's alone, and grows in place.
    join_into(location.by_device, t.released_device);
    join_into(location.by_device, released_device_);
    if (location.owner != index_) location.by_block.reset();
    location.owner = index_;
    join_into(location.by_block, t.released_block);
    join_into(location.by_block, released_block_);
  }
  if (!what.reads) return;
  join_into(t.taken_device, location.by_device);
  if (location.owner == index_) join_into(t.taken_block, location.by_block);
}

void block_order::barrier() {
  ++now_;
  bool has_own = false;
  for (running_thread& t : threads_) {
    has_own |= t.known != nullptr;
    join_into(known_, t.known);
    join_into(known_, t.taken_device);
    join_into(known_, t.taken_block);
    join_into(released_device_, t.released_device);
    join_into(released_block_, t.released_block);
    const bool fenced = t.fenced;
    t = {};
    t.fenced = fenced;
  }
  for (seen_thread& s : seen_) s = {now_, nullptr, s.fenced};
  all_until_ = now_;
  if (has_own) own(known_).know_block(index_, now_);  // instead of its threads one by one
  marks_.clear();
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
  sync_clock& clock = own(known);
  each([&](unsigned thread) { clock.know_thread(index_, thread, now_); });
  each([&](unsigned thread) {
    running_thread& t = threads_[thread];
    t.known = known;
    t.released_device = released_device;
    t.released_block = released_block;
    seen_[thread] = {now_, known, t.fenced};
  });
}

bool block_order::knows_block(const seen_thread& by, std::uint64_t block, sync_time when) const {
  if (block == index_ && when < all_until_) return true;
  return (known_ != nullptr && known_->covers_block(block, when)) ||
         (by.known != nullptr && by.known->covers_block(block, when));
}

bool block_order::knows(const seen_thread& by, std::uint64_t block, unsigned thread, sync_time when) const {
  if (block == index_ && when < all_until_) return true;
  return (known_ != nullptr && known_->covers(block, thread, when)) ||
         (by.known != nullptr && by.known->covers(block, thread, when));
}

}  // namespace simtlab::emulator

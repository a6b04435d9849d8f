#include "core/heap_blocks.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace simtlab::emulator {

void heap_blocks::add(address begin, std::uint64_t bytes, const origin& from) {
  const std::lock_guard guard(lock_);
  if (owned_table_ == nullptr) {
    owned_table_ = std::make_unique<table>();
    table_.store(owned_table_.get(), std::memory_order_release);
  }
  if (kernels_.empty() || kernels_.back() != from.kernel) kernels_.emplace_back(from.kernel);
  heap_block& b = blocks_.emplace_back();
  b.begin = begin;
  b.bytes = bytes;
  b.allocated_at = from.where;
  b.kernel = static_cast<std::uint32_t>(kernels_.size() - 1);
  b.launch = static_cast<std::uint32_t>(from.launch);
  b.block = from.block;
  b.thread = from.thread;
  for (address a = begin; a < begin + std::max(bytes, std::uint64_t{1}); a += alignment)
    owned_table_->get(a).at[a % page_bytes / alignment].store(&b, std::memory_order_release);
}

const heap_block* heap_blocks::release(address begin, site where) {
  heap_block* const b = at(begin);
  const std::lock_guard guard(lock_);
  if (b == nullptr || !b->live) return nullptr;
  b->live = false;
  b->freed_at = where;
  return b;
}

const heap_block* heap_blocks::nearest(address a) const {
  constexpr std::ptrdiff_t most = 16;  // of a heap full of freed blocks not all are looked at
  const std::lock_guard guard(lock_);
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), a,
                                      [](address value, const heap_block& b) { return value < b.begin; });
  const heap_block *above = nullptr, *below = nullptr;
  for (auto b = after; b != blocks_.end() && b - after < most && (above == nullptr || !above->live); ++b)
    if (above == nullptr || b->live) above = &*b;
  for (auto b = after; b != blocks_.begin() && after - b < most && (below == nullptr || !below->live);) {
    --b;
    if (below == nullptr || b->live) below = &*b;
  }
  if (above == nullptr || below == nullptr) return above == nullptr ? below : above;
  if (above->live != below->live) return above->live ? above : below;
  return above->begin - a < a - std::min(a, below->begin + below->bytes) ? above : below;
}

std::vector<heap_blocks::leak> heap_blocks::take_leaks() {
  const std::lock_guard guard(lock_);
  std::vector<leak> leaks;
  std::map<site, std::size_t> places;
  std::map<std::string, std::size_t> lines;
  std::vector<std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>>> threads;
  for (heap_block& b : blocks_) {
    if (!b.live || b.allocated_at == 0 || std::exchange(b.leak_told, true)) continue;
    auto place = places.find(b.allocated_at);
    if (place == places.end()) {
      const auto [line, is_new] = lines.try_emplace(name_of(b), leaks.size());
      if (is_new) {
        leaks.push_back({.where = b.allocated_at, .name = line->first});
        threads.emplace_back();
      }
      place = places.emplace(b.allocated_at, line->second).first;
    }
    leak& l = leaks[place->second];
    ++l.blocks;
    l.bytes += b.bytes;
    threads[place->second].emplace_back(b.launch, b.block, b.thread);
  }
  for (std::size_t i = 0; i < leaks.size(); ++i) {
    std::ranges::sort(threads[i]);
    leaks[i].threads = static_cast<std::uint64_t>(std::ranges::unique(threads[i]).begin() - threads[i].begin());
  }
  return leaks;
}

std::string heap_blocks::name(const heap_block& b) const {
  const std::lock_guard guard(lock_);
  return name_of(b);
}

std::string heap_blocks::name_of(const heap_block& b) const {
  const std::string place = line(b.allocated_at);
  return "memory that " + kernels_[b.kernel] + " allocated" + (place.empty() ? "" : " at " + place);
}

const memory_region& heap_blocks::region(const heap_block& b) const {
  const std::lock_guard guard(lock_);
  const auto [at, is_new] = regions_.try_emplace(&b);
  memory_region& r = at->second;
  if (is_new) {
    // Counted down from the greatest, where no map's numbers come.
    const auto [id, _] = ids_.try_emplace(b.allocated_at, ~static_cast<variable_id>(ids_.size()));
    r.id = id->second;
    r.begin = b.begin;
    r.bytes = b.bytes;
    r.name = name_of(b);
    r.block = &b;
  }
  return r;
}

void heap_blocks::clear() {
  const std::lock_guard guard(lock_);
  table_.store(nullptr, std::memory_order_release);
  owned_table_.reset();
  regions_.clear();
  blocks_.clear();
  kernels_.clear();
}

}  // namespace simtlab::emulator

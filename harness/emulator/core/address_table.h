// Pages of facts about memory, found by address: a table of two levels that covers every user-space address.
//
// Looking up is two loads; a page appears when it is first asked for and stays where it is for the life of the table.
// Any number of threads may look up and create at the same time.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "core/lazy_memory.h"
#include "core/types.h"

namespace simtlab::emulator {

/// One `Page` for every 2^shift bytes.
template <class Page, unsigned shift>
class address_table {
 public:
  static constexpr unsigned address_bits = 48;

  /// Null when nothing was stored about the page of `a`, or when `a` is no user-space address.
  [[nodiscard]] Page* find(address a) const {
    if (a >> address_bits != 0) return nullptr;
    const branch* b = root_[a >> branch_shift].load(std::memory_order_acquire);
    return b == nullptr ? nullptr : (*b)[(a >> shift) % branch_pages].load(std::memory_order_acquire);
  }

  /// `a` must be a user-space address.
  [[nodiscard]] Page& get(address a) {
    if (Page* page = find(a)) return *page;
    const std::lock_guard lock(growing_);
    std::atomic<branch*>& b = root_[a >> branch_shift];
    if (b.load(std::memory_order_relaxed) == nullptr) {
      branches_.push_back(std::make_unique<branch>(branch_pages));
      b.store(branches_.back().get(), std::memory_order_release);
    }
    std::atomic<Page*>& p = (*b.load(std::memory_order_relaxed))[(a >> shift) % branch_pages];
    if (p.load(std::memory_order_relaxed) == nullptr) {
      pages_.push_back(std::make_unique<Page>());
      p.store(pages_.back().get(), std::memory_order_release);
    }
    return *p.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t branch_pages = std::size_t{1} << 16;
  static constexpr unsigned branch_shift = shift + 16;
  using branch = lazy_memory<std::atomic<Page*>>;

  lazy_memory<std::atomic<branch*>> root_{std::size_t{1} << (address_bits - branch_shift)};
  std::mutex growing_;
  std::vector<std::unique_ptr<branch>> branches_;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace simtlab::emulator

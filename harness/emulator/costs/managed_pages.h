// Where the pages of managed memory are, by a model that docs/unified-memory.md states: 64 KiB a page, counted from the begin of
// each allocation; nothing moves at the first touch; from then on a page is in one place, and whoever touches it from the other
// side makes it move, unless a prefetch has moved it before.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/counters.h"
#include "core/types.h"

namespace simtlab::emulator {

enum class page_place : std::uint8_t { nowhere, host, device };

class managed_pages {
 public:
  static constexpr std::uint64_t page_bytes = 65536;

  /// Counts what moves into `pages_to_device`, `pages_to_host` and `prefetched_pages`.
  explicit managed_pages(host_counters& counts) : counts_(counts) {}

  void allocated(address begin, std::uint64_t bytes);
  void released(address begin) { allocations_.erase(begin); }
  [[nodiscard]] bool any() const { return !allocations_.empty(); }
  /// The begin of the page that holds `a`; 0 if no managed memory does.
  [[nodiscard]] address page_of(address a) const;

  /// Host code or the device touches these bytes: how many pages move there. Bytes that are no managed memory are left out.
  std::uint64_t touched(page_place by, address begin, std::uint64_t bytes);
  /// The same by cudaMemPrefetchAsync.
  std::uint64_t prefetched(page_place to, address begin, std::uint64_t bytes);

 private:
  struct allocation {
    std::uint64_t bytes = 0;
    std::vector<page_place> pages;
  };
  using table = std::map<address, allocation>;
  [[nodiscard]] table::const_iterator holding(address) const;
  std::uint64_t moved(page_place to, address begin, std::uint64_t bytes);

  host_counters& counts_;
  table allocations_;  // by begin
};

}  // namespace simtlab::emulator

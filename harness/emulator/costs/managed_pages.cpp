#include "costs/managed_pages.h"

#include <algorithm>
#include <iterator>

namespace simtlab::emulator {

void managed_pages::allocated(address begin, std::uint64_t bytes) {
  allocations_[begin] = {bytes, std::vector<page_place>((bytes + page_bytes - 1) / page_bytes, page_place::nowhere)};
}

managed_pages::table::const_iterator managed_pages::holding(address a) const {
  const auto behind = allocations_.upper_bound(a);
  if (behind == allocations_.begin()) return allocations_.end();
  const auto at = std::prev(behind);
  return a - at->first < at->second.bytes ? at : allocations_.end();
}

address managed_pages::page_of(address a) const {
  const auto at = holding(a);
  return at == allocations_.end() ? 0 : at->first + (a - at->first) / page_bytes * page_bytes;
}

std::uint64_t managed_pages::moved(page_place to, address begin, std::uint64_t bytes) {
  const auto at = holding(begin);
  if (bytes == 0 || at == allocations_.end()) return 0;
  std::vector<page_place>& pages = allocations_.at(at->first).pages;
  const std::uint64_t first = begin - at->first, last = std::min(first + bytes, at->second.bytes) - 1;
  std::uint64_t count = 0;
  for (std::uint64_t i = first / page_bytes; i <= last / page_bytes; ++i) {
    if (pages[i] != page_place::nowhere && pages[i] != to) ++count;
    pages[i] = to;
  }
  (to == page_place::device ? counts_.pages_to_device : counts_.pages_to_host) += count;
  return count;
}

std::uint64_t managed_pages::touched(page_place by, address begin, std::uint64_t bytes) {
  return moved(by, begin, bytes);
}

std::uint64_t managed_pages::prefetched(page_place to, address begin, std::uint64_t bytes) {
  const std::uint64_t count = moved(to, begin, bytes);
  counts_.prefetched_pages += count;
  return count;
}

}  // namespace simtlab::emulator

#include "costs/foreign_reads.h"

#include <algorithm>
#include <bit>

namespace simtlab::emulator {

foreign_reads::page& foreign_reads::page_of(address at) {
  const address number = at / page_bytes;
  if (last_ == nullptr || number != last_number_) {
    last_ = &pages_[number];
    last_number_ = number;
  }
  return *last_;
}

// A read counts word by word: a wide load may bring a thread's own values beside others'.
void foreign_reads::request(const warp_request& r) {
  if (r.space != memory_space::shared) return;
  constexpr std::uint32_t word = 4;
  for (lane_mask rest = r.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address begin = r.addresses[lane], end = begin + r.width;
    const auto by = static_cast<thread_number>(r.thread(lane) + 1);
    if (r.kind == access::read) {
      for (address at = begin; at < end; at += word) {
        const thread_number owner = page_of(at)[at % page_bytes];
        if (owner != 0 && owner != by) bytes_ += std::min<address>(word, end - at);
      }
    } else {
      for (address at = begin; at < end; ++at) page_of(at)[at % page_bytes] = by;
    }
  }
}

}  // namespace simtlab::emulator

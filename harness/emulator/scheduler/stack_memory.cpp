#include "scheduler/stack_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/memory_calls.h"
#include "core/private_memory.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace simtlab::emulator {
namespace {

constexpr std::size_t open_at_first = 4096;
constexpr std::size_t most_filled = 16384;

char* bottom_of(const lane& l) { return static_cast<char*>(const_cast<void*>(l.execution.stack_bottom())); }

}  // namespace

stack_memory::stack_memory(std::size_t lanes)
    : lanes_(static_cast<std::uint32_t>(lanes)),
      memory_(static_cast<char*>(map_privately(bytes(), false))),
      records_(reinterpret_cast<address>(memory_), bytes()) {
  announce(places());
}

stack_memory::~stack_memory() {
  withdraw(places());
  unmap_privately(memory_, bytes());
}

void stack_memory::prepare(lane* lanes, std::size_t threads) {
  for (; mapped_ < threads; ++mapped_) {
    char* const stack = memory_ + mapped_ * (bytes_of_one + guard_bytes) + guard_bytes;
    if (!protect(stack + bytes_of_one - open_at_first, open_at_first, PROT_READ | PROT_WRITE)) throw std::bad_alloc();
    lanes[mapped_].open_bytes = open_at_first;
    lanes[mapped_].execution.set_stack(stack, bytes_of_one);
  }
  for (std::size_t t = 0; t < mapped_; ++t) {
    if (std::exchange(lanes[t].open_bytes, open_at_first) == open_at_first) continue;
    discard(bottom_of(lanes[t]), bytes_of_one - open_at_first);
    if (!protect(bottom_of(lanes[t]), bytes_of_one - open_at_first, PROT_NONE)) throw std::bad_alloc();
  }
}

bool stack_memory::open(lane* lanes, address a) {
  if (!places().contains(a)) return false;
  const std::uint32_t thread = places().thread_of(a);
  const address bottom = places().of(thread) + guard_bytes, end = bottom + bytes_of_one;
  lane& l = lanes[thread];
  if (thread >= mapped_ || a < bottom || end - a <= l.open_bytes) return false;
  std::size_t open = l.open_bytes;
  while (open < end - a) open *= 2;
  if (!protect(reinterpret_cast<void*>(end - open), open, PROT_READ | PROT_WRITE)) return false;
  l.open_bytes = open;
  return true;
}

void stack_memory::poison(lane& l, std::size_t unused) {
  char* const end = bottom_of(l) + bytes_of_one;
  const std::size_t filled = std::min(l.open_bytes, most_filled);
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(end - filled, filled);  // an abandoned lane leaves its red zones behind
#endif
  std::memset(end - filled, 0xff, filled - unused);
  if (l.open_bytes > filled) discard(end - l.open_bytes, l.open_bytes - filled);
}

bool stack_memory::is_guard(const lane& l, address a) {
  const auto bottom = reinterpret_cast<address>(l.execution.stack_bottom());
  return a < bottom && a >= bottom - guard_bytes;
}

}  // namespace simtlab::emulator

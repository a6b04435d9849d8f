#include "runtime/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "core/memory_calls.h"

namespace simtlab::emulator {
namespace {

constexpr std::size_t gap = std::size_t{1} << 20;  // inaccessible bytes between two allocations, at least

}  // namespace

arena::arena() {
  void* memory = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  begin_ = reinterpret_cast<address>(memory);
  next_[0] = begin_ + gap;
  next_[1] = begin_ + reserved / 2 + gap;
}

arena::~arena() { munmap(reinterpret_cast<void*>(begin_), reserved); }

void arena::protect(const chunk& c, bool open) {
  if (!emulator::protect(c.begin, c.bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE)) throw std::bad_alloc();
}

void* arena::allocate(std::size_t bytes, bool managed) {
  if (bytes > capacity || allocated_ > capacity - bytes) return nullptr;
  const chunk added{reinterpret_cast<char*>(next_[managed]), rounded_up(bytes, page) + 2 * slack};
  const address end = begin_ + (managed ? reserved : reserved / 2);
  if (end - next_[managed] < added.bytes + gap) return nullptr;
  next_[managed] += rounded_up(added.bytes + gap, page);
  protect(added, true);
  // NaN as floating point and -1 as an integer: what nobody wrote should not look like a result.
  std::memset(added.begin, 0xff, slack + std::min(bytes, poisoned));
  std::memset(added.begin + slack + bytes, 0xff, std::min(slack, poisoned));
  (managed ? managed_ : chunks_).push_back(added);
  if (!managed) protect(added, open_ > 0);
  allocated_ += bytes;
  return added.begin + slack;
}

void* arena::open_stretch(std::size_t bytes) {
  const chunk added{reinterpret_cast<char*>(next_[0]), rounded_up(bytes, page)};
  next_[0] += rounded_up(added.bytes + gap, page);
  protect(added, open_ > 0);
  chunks_.push_back(added);
  return added.begin;
}

void arena::release(void* where, std::size_t bytes) {
  char* begin = static_cast<char*>(where) - slack;
  madvise(begin, rounded_up(bytes, page) + 2 * slack, MADV_DONTNEED);
  allocated_ -= bytes;
}

void arena::close_to_host(address_range shared) {
  closed_ = managed_;
  if (shared.begin < shared.end) closed_.push_back({reinterpret_cast<char*>(shared.begin), shared.end - shared.begin});
  if (open_ == 0)
    for (const chunk& c : closed_) protect(c, false);
}

void arena::open_to_host() {
  for (const chunk& c : closed_) protect(c, true);
  closed_.clear();
}

bool arena::is_closed_to_host(address a) const {
  return open_ == 0 && std::any_of(closed_.begin(), closed_.end(),
                                   [a](const chunk& c) { return a - reinterpret_cast<address>(c.begin) < c.bytes; });
}

void arena::open_page(address a) const { protect({reinterpret_cast<char*>(a / page * page), page}, true); }
void arena::close_page(address a) const {
  if (is_closed_to_host(a)) protect({reinterpret_cast<char*>(a / page * page), page}, false);
}

arena::access::access(arena& of) : of_(of) {
  if (of_.open_++ != 0) return;
  for (const chunk& c : of_.chunks_) protect(c, true);
  for (const chunk& c : of_.closed_) protect(c, true);
}

arena::access::~access() {
  if (--of_.open_ != 0) return;
  for (const chunk& c : of_.chunks_) protect(c, false);
  for (const chunk& c : of_.closed_) protect(c, false);
}

}  // namespace simtlab::emulator

#include "runtime/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace simtlab::emulator {
namespace {

constexpr std::size_t page = 4096;
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

void arena::protect(const chunk& c, bool open) const {
  if (mprotect(c.begin, c.bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) throw std::bad_alloc();
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
  if (!managed) {
    chunks_.push_back(added);
    protect(added, open_ > 0);
  }
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

arena::access::access(arena& of) : of_(of) {
  if (of_.open_++ == 0)
    for (const chunk& c : of_.chunks_) of_.protect(c, true);
}

arena::access::~access() {
  if (--of_.open_ == 0)
    for (const chunk& c : of_.chunks_) of_.protect(c, false);
}

}  // namespace simtlab::emulator

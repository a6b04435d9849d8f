#include "runtime/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "core/memory_calls.h"

namespace simtlab::emulator {
namespace {

constexpr std::size_t gap = std::size_t{1} << 20;  // inaccessible bytes between two allocations, at least
constexpr std::size_t watched_part = 64 * 1024;

}  // namespace

arena::arena() {
  void* memory = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  begin_ = reinterpret_cast<address>(memory);
  for (const memory_kind kind : {memory_kind::device, memory_kind::managed, memory_kind::page_locked})
    next_[static_cast<std::size_t>(kind)] = range_of(kind).begin + gap;
}

address_range arena::range_of(memory_kind kind) const {
  constexpr std::size_t quarter = reserved / 4;
  switch (kind) {
    case memory_kind::device:
      return {begin_, begin_ + 2 * quarter};
    case memory_kind::managed:
      return {begin_ + 2 * quarter, begin_ + 3 * quarter};
    case memory_kind::page_locked:
      break;
  }
  return {begin_ + 3 * quarter, begin_ + reserved};
}

arena::~arena() { munmap(reinterpret_cast<void*>(begin_), reserved); }

void arena::protect(const chunk& c, bool open) {
  if (!emulator::protect(c.begin, c.bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE)) throw std::bad_alloc();
}

void* arena::allocate(std::size_t bytes, memory_kind kind) {
  const bool is_the_host_s = kind == memory_kind::page_locked;
  if (bytes > capacity || (!is_the_host_s && allocated_ > capacity - bytes)) return nullptr;
  address& next = next_[static_cast<std::size_t>(kind)];
  const chunk added{reinterpret_cast<char*>(next), rounded_up(bytes, page) + 2 * slack};
  if (range_of(kind).end - next < added.bytes + gap) return nullptr;
  next += rounded_up(added.bytes + gap, page);
  protect(added, true);
  // NaN as floating point and -1 as an integer: what nobody wrote should not look like a result.
  std::memset(added.begin, 0xff, slack + (is_the_host_s ? 0 : std::min(bytes, poisoned)));
  std::memset(added.begin + slack + bytes, 0xff, std::min(slack, poisoned));
  const bool is_shared = kind != memory_kind::device;
  if (is_shared)
    shared_.push_back({added, view_of_new_});
  else
    chunks_.push_back(added);
  if (open_ == 0 && is_shared) protect(shared_.back());
  if (open_ == 0 && !is_shared) protect(added, false);
  if (!is_the_host_s) allocated_ += bytes;
  return added.begin + slack;
}

void* arena::reserve_stretch(std::size_t bytes) {
  address& next = next_[static_cast<std::size_t>(memory_kind::device)];
  const chunk added{reinterpret_cast<char*>(next), rounded_up(bytes, page)};
  next += rounded_up(added.bytes + gap, page);
  return added.begin;
}

void arena::use_stretch(void* where, std::size_t bytes) {
  chunks_.push_back({static_cast<char*>(where), rounded_up(bytes, page)});
  protect(chunks_.back(), open_ > 0);
}

void arena::release(void* where, std::size_t bytes) {
  char* begin = static_cast<char*>(where) - slack;
  madvise(begin, rounded_up(bytes, page) + 2 * slack, MADV_DONTNEED);
  if (!range_of(memory_kind::page_locked).contains(reinterpret_cast<address>(where))) allocated_ -= bytes;
}

void arena::protect(const shared_chunk& c) {
  const int protection = c.view == host_view::open      ? PROT_READ | PROT_WRITE
                         : c.view == host_view::watched ? PROT_READ
                                                        : PROT_NONE;
  if (!emulator::protect(c.memory.begin, c.memory.bytes, protection)) throw std::bad_alloc();
}

void arena::share(address_range pages) {
  if (pages.begin >= pages.end) return;
  shared_.push_back({{reinterpret_cast<char*>(pages.begin), pages.end - pages.begin}, view_of_new_});
  if (open_ == 0) protect(shared_.back());
}

void arena::set_view(host_view view) {
  view_of_new_ = view == host_view::open ? host_view::open : host_view::watched;
  if (open_ == 0) look_for_changes();
  for (shared_chunk& c : shared_) {
    c.view = view;
    if (open_ == 0) protect(c);
  }
}

const arena::shared_chunk* arena::shared_at(address a) const {
  const auto found = std::ranges::find_if(
      shared_, [a](const shared_chunk& c) { return a - reinterpret_cast<address>(c.memory.begin) < c.memory.bytes; });
  return found == shared_.end() ? nullptr : &*found;
}

host_view arena::view_at(address a) const {
  const shared_chunk* const found = open_ == 0 ? shared_at(a) : nullptr;
  return found == nullptr ? host_view::open : found->view;
}

void arena::open_part(address a, site where) {
  const shared_chunk& c = *shared_at(a);
  const address begin = reinterpret_cast<address>(c.memory.begin);
  const std::size_t size = c.view == host_view::closed ? page : watched_part;  // what is read counts by pages
  const address first = begin + (a - begin) / size * size;
  const chunk part{reinterpret_cast<char*>(first), std::min<std::size_t>(size, begin + c.memory.bytes - first)};
  protect(part, true);
  opened_.push_back({part, where, std::unique_ptr<char[]>(new char[part.bytes])});
  std::memcpy(opened_.back().before.get(), part.begin, part.bytes);
}

void arena::look_for_changes() {
  constexpr std::size_t word = 4;  // a value of which one byte has changed has changed
  for (const opened_part& p : opened_) {
    protect(p.memory, true);
    const auto differs = [&p](std::size_t at) {
      return std::memcmp(p.memory.begin + at, p.before.get() + at, word) != 0;
    };
    for (std::size_t at = 0; on_change_ != nullptr && at < p.memory.bytes; at += word) {
      const std::size_t first = at;
      while (at < p.memory.bytes && differs(at)) at += word;
      if (at > first) on_change_(reinterpret_cast<address>(p.memory.begin) + first, at - first, p.where);
    }
  }
  opened_.clear();
}

void arena::open_page(address a) const { protect({reinterpret_cast<char*>(a / page * page), page}, true); }
void arena::close_page(address a) const {
  if (view_at(a) == host_view::closed) protect({reinterpret_cast<char*>(a / page * page), page}, false);
}

arena::access::access(arena& of) : of_(of) {
  if (of_.open_++ != 0) return;
  for (const chunk& c : of_.chunks_) protect(c, true);
  for (const shared_chunk& c : of_.shared_)
    if (c.view != host_view::open) protect(c.memory, true);
  of_.look_for_changes();
}

arena::access::~access() {
  if (--of_.open_ != 0) return;
  for (const chunk& c : of_.chunks_) protect(c, false);
  for (const shared_chunk& c : of_.shared_)
    if (c.view != host_view::open) protect(c);
}

}  // namespace simtlab::emulator

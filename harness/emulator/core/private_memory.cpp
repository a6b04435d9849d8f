// Sizes are rounded up to powers of two, and what is freed is kept by size for the next of its kind. Small pieces are cut
// from chunks; of a large one only the pages that are asked for become accessible, and they are given back when it is freed.
#include "core/private_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <new>

#include "core/memory_calls.h"
#include "core/types.h"

namespace simtlab::emulator {

__thread bool allocates_privately;

namespace {

constexpr std::size_t reserved = std::size_t{1} << (39 - scarce_address_bits);  // address space, not memory
constexpr std::size_t page = 4096;
constexpr std::size_t chunk = std::size_t{1} << 20;
constexpr unsigned smallest = 6, largest_small = 16;  // logarithms of sizes, header included

/// In front of what operator new gives out.
struct header {
  void* begin;  ///< of the piece
  std::size_t size_log;
};
static_assert(sizeof(header) == 16);

struct free_piece {
  free_piece* next;
};

class spin_lock {
 public:
  void lock() {
    while (taken_.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_ = ATOMIC_FLAG_INIT;
};

/// Everything is zero before the first use: allocations come before any constructor.
struct heap {
  spin_lock lock;
  char* begin;
  char* next;           ///< address space from here on is unused
  char *cut, *cut_end;  ///< the rest of the chunk that small pieces come from
  free_piece* free[64];
  void* free_large[64][64];  ///< begins of unused large pieces; more than that are never used again
  unsigned free_large_count[64];
};
constinit heap the_heap{};

struct locked {
  locked() { the_heap.lock.lock(); }
  ~locked() { the_heap.lock.unlock(); }
  locked(const locked&) = delete;  // it owns the lock
  locked& operator=(const locked&) = delete;
};

void reserve() {
  if (the_heap.begin != nullptr) return;
  void* memory = mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  the_heap.begin = the_heap.next = static_cast<char*>(memory);
}

/// Null when there is no room.
char* address_space(std::size_t bytes) {
  reserve();
  if (bytes > static_cast<std::size_t>(the_heap.begin + reserved - the_heap.next)) return nullptr;
  char* begin = the_heap.next;
  the_heap.next += bytes;
  return begin;
}

/// Gives the memory back to the system and keeps the address space.
void close(void* begin, std::size_t bytes) {
  if (!map_fixed(begin, bytes, PROT_NONE)) std::abort();  // it would be handed out again with old contents
}

void* large_space(unsigned size_log) {
  unsigned& count = the_heap.free_large_count[size_log];
  return count > 0 ? the_heap.free_large[size_log][--count] : address_space(std::size_t{1} << size_log);
}

void give_back_space(void* begin, unsigned size_log) {
  unsigned& count = the_heap.free_large_count[size_log];
  if (count < 64) the_heap.free_large[size_log][count++] = begin;
}

unsigned log_of(std::size_t bytes) {
  return static_cast<unsigned>(std::bit_width(std::max<std::size_t>(bytes, 2) - 1));
}

}  // namespace

private_range private_memory() {
  const locked held;
  reserve();
  const auto begin = reinterpret_cast<address>(the_heap.begin);
  return {begin, begin + reserved};
}

void* map_privately(std::size_t bytes, bool is_open) {
  const locked held;
  void* begin = large_space(std::max(log_of(bytes), largest_small + 1));
  if (begin == nullptr) throw std::bad_alloc();
  if (!map_fixed(begin, rounded_up(bytes, page), is_open ? PROT_READ | PROT_WRITE : PROT_NONE)) throw std::bad_alloc();
  return begin;
}

void unmap_privately(void* begin, std::size_t bytes) {
  const locked held;
  close(begin, rounded_up(bytes, page));
  give_back_space(begin, std::max(log_of(bytes), largest_small + 1));
}

}  // namespace simtlab::emulator

// A sanitizer has its own operator new, and has to see every allocation: there all of them are ordinary.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace simtlab::emulator {
namespace {

bool open(void* begin, std::size_t bytes) { return protect(begin, bytes, PROT_READ | PROT_WRITE); }

void* small_piece(unsigned size_log) {
  if (free_piece* p = the_heap.free[size_log]) {
    the_heap.free[size_log] = p->next;
    return p;
  }
  const std::size_t bytes = std::size_t{1} << size_log;
  if (static_cast<std::size_t>(the_heap.cut_end - the_heap.cut) < bytes) {
    char* more = address_space(chunk);
    if (more == nullptr || !open(more, chunk)) return nullptr;
    the_heap.cut = more;
    the_heap.cut_end = more + chunk;
  }
  void* piece = the_heap.cut;
  the_heap.cut += bytes;
  return piece;
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t ahead = std::max(alignment, sizeof(header));
  if (bytes > reserved / 4) return nullptr;
  const std::size_t needed = bytes + ahead;
  const unsigned size_log = std::max(smallest, log_of(needed));
  const locked held;
  void* piece = nullptr;
  if (size_log <= largest_small) {
    piece = small_piece(size_log);
  } else {
    piece = large_space(size_log);
    if (piece != nullptr && !open(piece, rounded_up(needed, page))) {
      give_back_space(piece, size_log);
      piece = nullptr;
    }
  }
  if (piece == nullptr) return nullptr;
  char* given = static_cast<char*>(piece) + ahead;  // pieces are aligned to 64 bytes, large ones to pages
  given = reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(given) / alignment * alignment);
  header* h = reinterpret_cast<header*>(given) - 1;
  *h = {piece, size_log};
  return given;
}

void release(void* given) {
  const header h = reinterpret_cast<header*>(given)[-1];
  const auto size_log = static_cast<unsigned>(h.size_log);
  const locked held;
  if (size_log <= largest_small) {
    auto* piece = static_cast<free_piece*>(h.begin);
    piece->next = the_heap.free[size_log];
    the_heap.free[size_log] = piece;
    return;
  }
  close(h.begin, std::size_t{1} << size_log);
  give_back_space(h.begin, size_log);
}

bool is_private(const void* given) {
  const auto* at = static_cast<const char*>(given);
  return the_heap.begin != nullptr && at >= the_heap.begin && at < the_heap.begin + reserved;
}

void* new_memory(std::size_t bytes, std::size_t alignment) {
  void* given = nullptr;
  if (allocates_privately)
    given = allocate(bytes, alignment);
  else if (alignment <= alignof(std::max_align_t))
    given = std::malloc(bytes == 0 ? 1 : bytes);
  else
    given = std::aligned_alloc(alignment, rounded_up(bytes == 0 ? 1 : bytes, alignment));
  if (given == nullptr) throw std::bad_alloc();
  return given;
}

void delete_memory(void* given) noexcept {
  if (is_private(given))
    release(given);
  else
    std::free(given);  // NOLINT(cppcoreguidelines-no-malloc): what new_memory took
}

}  // namespace
}  // namespace simtlab::emulator

// The replaceable ones; those for arrays, without exceptions and with sizes call these.
void* operator new(std::size_t bytes) { return simtlab::emulator::new_memory(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return simtlab::emulator::new_memory(bytes, std::max(static_cast<std::size_t>(alignment), alignof(std::max_align_t)));
}
void operator delete(void* given) noexcept { simtlab::emulator::delete_memory(given); }
void operator delete(void* given, std::size_t) noexcept { simtlab::emulator::delete_memory(given); }
void operator delete(void* given, std::align_val_t) noexcept { simtlab::emulator::delete_memory(given); }
void operator delete(void* given, std::size_t, std::align_val_t) noexcept { simtlab::emulator::delete_memory(given); }

#endif

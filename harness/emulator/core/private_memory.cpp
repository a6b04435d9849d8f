// Small pieces have powers of two for sizes and are cut from chunks, large ones at most an eighth more than is asked for. What is
// freed is kept by size for the next of its kind; the pages of large pieces are given back to the system, and stay accessible.
// So all that was ever handed out from the stretch's begin on is one mapping, which closes and opens as a whole
// (closed_memory.h). What is mapped inaccessible comes from the stretch's end instead, and is its owner's to open in parts.
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
constexpr std::size_t small_page = 4096;
constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::size_t chunk = std::size_t{1} << 20;
constexpr unsigned smallest = 6, largest_small = 16;  // logarithms of sizes, header included
constexpr unsigned steps = 8;                         // sizes of large pieces from one power of two to the next
constexpr unsigned kept = 16;  // begins of unused large pieces of a size; more are never used again

/// In front of what operator new gives out.
struct header {
  void* begin;       ///< of the piece
  std::size_t size;  ///< of a small one the logarithm, which is no more than `largest_small`; of a large one the bytes
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
  char *next, *apart;   ///< address space between the two is unused
  char* open;           ///< and accessible up to here
  char *cut, *cut_end;  ///< the rest of the chunk that small pieces come from
  free_piece* free[64];
  void* free_large[64 * steps][kept];
  unsigned free_large_count[64 * steps];
  struct {
    void* begin;
    std::size_t bytes;
  } free_apart[kept];
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
  the_heap.begin = static_cast<char*>(memory);
  the_heap.apart = the_heap.begin + reserved;
  // Closing and opening takes as long as there are pages, so they had better be large where the system has such.
  the_heap.next = reinterpret_cast<char*>(rounded_up(reinterpret_cast<std::uintptr_t>(memory), large_page));
  the_heap.open = the_heap.next;
  madvise(the_heap.next, reserved / 2, MADV_HUGEPAGE);
}

/// Accessible and zero; null when there is no room.
char* fresh(std::size_t bytes) {
  reserve();
  if (bytes + large_page > static_cast<std::size_t>(the_heap.apart - the_heap.next)) return nullptr;
  char* begin = the_heap.next;
  if (begin + bytes > the_heap.open) {  // no page is large unless all of it is accessible
    const std::size_t more = rounded_up(static_cast<std::size_t>(begin + bytes - the_heap.open), large_page);
    if (!protect(the_heap.open, more, PROT_READ | PROT_WRITE)) return nullptr;
    the_heap.open += more;
  }
  the_heap.next += bytes;
  return begin;
}

/// A size of large pieces: the smallest that holds `bytes`.
struct large_size {
  explicit large_size(std::size_t least) {
    least = std::max(least, std::size_t{1} << (largest_small + 1));
    const unsigned log = static_cast<unsigned>(std::bit_width(least)) - 1;
    const std::size_t step = (std::size_t{1} << log) / steps;
    bytes = rounded_up(least, step);
    number =
        static_cast<unsigned>((log - 1) * steps + bytes / step);  // of the next power of two: that of its own first
  }
  std::size_t bytes;
  unsigned number;
};
static_assert((std::size_t{1} << (largest_small + 1)) / steps % small_page == 0);

/// Accessible and zero; null when there is no room.
void* large_piece(const large_size& size) {
  unsigned& count = the_heap.free_large_count[size.number];
  return count > 0 ? the_heap.free_large[size.number][--count] : fresh(size.bytes);
}

void give_back(void* begin, const large_size& size) {
  discard(begin, size.bytes);
  unsigned& count = the_heap.free_large_count[size.number];
  if (count < kept) the_heap.free_large[size.number][count++] = begin;
}

/// Inaccessible; null when there is no room.
void* piece_apart(std::size_t bytes) {
  reserve();
  for (auto& free : the_heap.free_apart)
    if (free.bytes == bytes) {
      free.bytes = 0;
      return free.begin;
    }
  if (bytes > static_cast<std::size_t>(the_heap.apart - the_heap.open)) return nullptr;
  return the_heap.apart -= bytes;
}

void give_back_apart(void* begin, std::size_t bytes) {
  if (!map_fixed(begin, bytes, PROT_NONE)) std::abort();  // it would be handed out again with old contents
  for (auto& free : the_heap.free_apart)
    if (free.bytes == 0) {
      free = {begin, bytes};
      return;
    }
}

}  // namespace

address_range private_memory() {
  const locked held;
  reserve();
  const auto begin = reinterpret_cast<address>(the_heap.begin);
  return {begin, begin + reserved};
}

address_range accessible_private_memory() {
  const locked held;
  return {rounded_up(reinterpret_cast<address>(the_heap.begin), large_page), reinterpret_cast<address>(the_heap.open)};
}

void* map_privately(std::size_t bytes, bool is_open) {
  const locked held;
  void* const begin = is_open ? large_piece(large_size(bytes)) : piece_apart(rounded_up(bytes, small_page));
  if (begin == nullptr) throw std::bad_alloc();
  return begin;
}

void unmap_privately(void* begin, std::size_t bytes) {
  const locked held;
  if (begin < the_heap.next)
    give_back(begin, large_size(bytes));
  else
    give_back_apart(begin, rounded_up(bytes, small_page));
}

}  // namespace simtlab::emulator

// A sanitizer has its own operator new, and has to see every allocation: there all of them are ordinary.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace simtlab::emulator {
namespace {

unsigned log_of(std::size_t bytes) {
  return static_cast<unsigned>(std::bit_width(std::max<std::size_t>(bytes, 2) - 1));
}

void* small_piece(unsigned size_log) {
  if (free_piece* p = the_heap.free[size_log]) {
    the_heap.free[size_log] = p->next;
    return p;
  }
  const std::size_t bytes = std::size_t{1} << size_log;
  if (static_cast<std::size_t>(the_heap.cut_end - the_heap.cut) < bytes) {
    char* more = fresh(chunk);
    if (more == nullptr) return nullptr;
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
  const bool is_small = needed <= std::size_t{1} << largest_small;
  const unsigned size_log = std::max(smallest, log_of(needed));
  const locked held;
  void* piece = is_small ? small_piece(size_log) : large_piece(large_size(needed));
  if (piece == nullptr) return nullptr;
  char* given = static_cast<char*>(piece) + ahead;  // pieces are aligned to 64 bytes, large ones to pages
  given = reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(given) / alignment * alignment);
  header* h = reinterpret_cast<header*>(given) - 1;
  *h = {piece, is_small ? size_log : needed};
  return given;
}

void release(void* given) {
  const header h = reinterpret_cast<header*>(given)[-1];
  const locked held;
  if (h.size > largest_small) return give_back(h.begin, large_size(h.size));
  auto* piece = static_cast<free_piece*>(h.begin);
  piece->next = the_heap.free[h.size];
  the_heap.free[h.size] = piece;
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

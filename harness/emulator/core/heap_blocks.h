// The blocks that malloc and new gave to kernels: which one holds an address, who allocated it, and who gave it back when.
//
// The heap never hands out a place twice before all is forgotten, so that a block stays known when it is freed. Looking up takes no
// lock: two loads find the block of 32 bytes, and an address outside of the heap is never asked for.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/address_table.h"
#include "core/memory_map.h"
#include "core/types.h"

namespace simtlab::emulator {

/// How far the thread had come that frees, or accesses.
struct heap_moment {
  std::uint64_t block = 0;
  std::uint32_t launch = 0;
  std::uint32_t barriers = 0, grid_barriers = 0;  ///< that the block has passed in this launch
  std::uint32_t thread = 0;                       ///< linear in its block
};

struct heap_block {
  address begin = 0;
  std::uint64_t bytes = 0;
  site allocated_at = 0;  ///< 0: by the emulator itself
  std::uint32_t kernel = 0;
  std::uint64_t block = 0;  ///< of the thread that allocated it
  std::uint32_t launch = 0, thread = 0;
  bool live = true;  ///< to malloc and free
  bool leak_told = false;
  site freed_at = 0;

  [[nodiscard]] bool contains(address a, std::uint64_t width = 1) const {
    return a >= begin && width <= bytes && a - begin <= bytes - width;
  }

  /// To observers, who see a thread's accesses and frees in its order.
  void note_free(const heap_moment& when) {
    freed_ = when;
    is_freed_.store(true, std::memory_order_release);
  }
  /// Whether the free surely came before an access at `now`: in an earlier launch, before a barrier of both, or by the same thread. Lanes'
  /// accesses are looked at when the warp's segment ends, so that of two lanes nobody knows.
  [[nodiscard]] bool is_freed_before(const heap_moment& now) const {
    if (!is_freed_.load(std::memory_order_acquire)) return false;
    if (freed_.launch != now.launch || freed_.grid_barriers < now.grid_barriers) return true;
    return freed_.block == now.block && (freed_.thread == now.thread || freed_.barriers < now.barriers);
  }

 private:
  heap_moment freed_;
  std::atomic<bool> is_freed_ = false;
};

class heap_blocks {
 public:
  /// Blocks begin at multiples of it.
  static constexpr std::size_t alignment = 32;

  struct origin {
    site where = 0;
    std::string_view kernel;
    std::uint64_t launch = 0, block = 0;
    std::uint32_t thread = 0;
  };
  /// Blocks are added in the order of their addresses, which no two share.
  void add(address begin, std::uint64_t bytes, const origin&);
  /// The live block that begins there is freed at `where`; null if there is none.
  const heap_block* release(address begin, site where);

  /// The block that holds the byte, freed ones included; null if none does. Safe to call while others add.
  [[nodiscard]] heap_block* find(address a) const {
    heap_block* const b = in_stretch_of(a);
    return b != nullptr && b->contains(a) ? b : nullptr;
  }
  /// The block that begins there; null if none does.
  [[nodiscard]] heap_block* at(address begin) const {
    heap_block* const b = in_stretch_of(begin);
    return b != nullptr && b->begin == begin ? b : nullptr;
  }
  /// The block that `a` lies nearest to, live ones before freed ones; null: there is none.
  [[nodiscard]] const heap_block* nearest(address a) const;

  /// The block as findings speak of it: the place of its allocation is its name, and those of one place have one id. It lives until
  /// `clear`.
  [[nodiscard]] const memory_region& region(const heap_block&) const;
  [[nodiscard]] std::string name(const heap_block&) const;
  /// How to write the line of a site: `prog.cu:7`; empty where it is not known.
  void write_lines_by(std::function<std::string(site)> line) { line_ = std::move(line); }
  [[nodiscard]] std::string line(site s) const { return s == 0 || !line_ ? "" : line_(s); }

  /// What kernels allocated at one place and never freed.
  struct leak {
    site where = 0;
    std::string name;
    std::uint64_t blocks = 0, bytes = 0, threads = 0;
  };
  /// In the order of the first allocations; what was told before is left out.
  [[nodiscard]] std::vector<leak> take_leaks();
  /// Between launches only.
  void clear();

 private:
  static constexpr unsigned page_shift = 16;
  static constexpr std::size_t page_bytes = std::size_t{1} << page_shift;
  struct page {
    std::array<std::atomic<heap_block*>, page_bytes / alignment> at{};
  };
  using table = address_table<page, page_shift>;
  [[nodiscard]] std::string name_of(const heap_block&) const;
  /// The block that the 32 bytes around `a` belong to.
  [[nodiscard]] heap_block* in_stretch_of(address a) const {
    const table* const t = table_.load(std::memory_order_acquire);
    const page* const p = t == nullptr ? nullptr : t->find(a);
    return p == nullptr ? nullptr : p->at[a % page_bytes / alignment].load(std::memory_order_acquire);
  }

  std::atomic<table*> table_ = nullptr;
  std::unique_ptr<table> owned_table_;
  mutable std::mutex lock_;
  std::deque<heap_block> blocks_;  // in the order of their addresses; a deque never moves its elements
  std::deque<std::string> kernels_;
  std::function<std::string(site)> line_;
  mutable std::map<const heap_block*, memory_region> regions_;
  mutable std::map<site, variable_id> ids_;
};

}  // namespace simtlab::emulator

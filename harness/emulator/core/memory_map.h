// Which named piece of memory an address belongs to.
//
// Two address ranges never meet: process addresses (global, constant) and offsets in the shared window. Regions of
// each are kept sorted by their begin. A freed allocation stays in the map, marked dead, so that a later access can be
// told as a use after free; the arena never reuses an address.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "core/types.h"

namespace simtlab::emulator {

struct heap_block;  // core/heap_blocks.h
class heap_blocks;

struct memory_region {
  variable_id id = 0;
  memory_space space = memory_space::global;
  address begin = 0;
  std::uint64_t bytes = 0;
  std::string name;  ///< may be empty
  bool live = true;
  bool given = false;    ///< handed to the program, which calls it by `name`
  bool of_host = false;  ///< the program's own, which cudaHostRegister was given

  heap_blocks* blocks = nullptr;      ///< what kernels allocate lies inside: the region is their heap
  const heap_block* block = nullptr;  ///< the region is what a kernel allocated, and in no map

  [[nodiscard]] bool contains(address a, std::uint64_t width = 1) const {
    return a >= begin && width <= bytes && a - begin <= bytes - width;
  }
};

/// Where dynamic shared memory begins in the shared window, behind any static variable.
inline constexpr address dynamic_shared_window = address{1} << 24;

[[nodiscard]] inline bool is_dynamic_shared(const memory_region& r) {
  return r.space == memory_space::shared && r.begin == dynamic_shared_window;
}

/// Regions keep their address in memory for the life of the map. `add`, `release` and `rename` are called between
/// launches only, so lookups during a launch need no lock.
class memory_map {
 public:
  /// `r.id` is chosen by the map and returned. Regions of one space group never overlap.
  variable_id add(memory_region r);
  void release(variable_id);
  void rename(variable_id, std::string name);
  /// The program is handed the region under this name.
  void give(variable_id, std::string name);
  /// Changes the extent of a region that nothing follows (the dynamic shared memory of a launch).
  void resize(variable_id, std::uint64_t bytes);

  /// No address finds the region from now on, until it is put back: what shares its place with others, one at a time.
  void withdraw(variable_id);
  void put_back(variable_id);

  /// The region that contains the process address `a`, dead ones included; null if none does.
  [[nodiscard]] const memory_region* find(address a) const;
  /// The region of the host's that has a byte in the page of `a`, dead ones included; null if none does. A GPU maps whole pages.
  [[nodiscard]] const memory_region* of_host_in_page(address a) const;
  /// The live region that holds all of [a, a + bytes); null if none does.
  [[nodiscard]] const memory_region* find_live(address a, std::uint64_t bytes) const;
  /// The region with the greatest begin ≤ `a`: the neighbour to name when an index ran past its end. May be null.
  [[nodiscard]] const memory_region* below(address a) const;
  /// The same two for offsets in the shared window.
  [[nodiscard]] const memory_region* find_shared(address offset) const;
  [[nodiscard]] const memory_region* below_shared(address offset) const;

  /// `id` must come from this map and not be 0.
  [[nodiscard]] const memory_region& region(variable_id id) const { return regions_[id - 1]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(regions_.size()); }
  /// Empty for id 0.
  [[nodiscard]] const std::string& name(variable_id id) const;

 private:
  using index = std::vector<const memory_region*>;
  static const memory_region* below(const index&, address);
  index& index_of(memory_space s) { return s == memory_space::shared ? shared_ : process_; }

  std::deque<memory_region> regions_;  // a deque never moves its elements
  index process_, shared_;
};

}  // namespace simtlab::emulator

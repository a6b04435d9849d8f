// Turns the merged events of a warp into what observers see: finds the memory space and the variable, replaces shared
// addresses by offsets in the block's shared window, splits a request whose lanes address different spaces, and notices
// when a site repeats its last pattern.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/lane_stacks.h"
#include "core/lazy_memory.h"
#include "core/memory_map.h"
#include "core/types.h"
#include "observers/observer.h"
#include "trace/record.h"

namespace simtlab::emulator {

/// Where the memory spaces lie in the address space of one worker during one launch.
struct address_layout {
  address_range global;          ///< the arena of cudaMalloc
  address_range device;          ///< `__device__` variables
  address_range constant;        ///< `__constant__` variables
  address_range parameters;      ///< kernels' parameters, where reads of them are counted
  address_range static_shared;   ///< this worker's thread-local segment
  address_range dynamic_shared;  ///< this worker's dynamic shared memory, slack around it included
  address_range local;           ///< the stacks of this worker's lanes
  lane_stacks stacks;            ///< the same, as they are divided
  address_range
      registered;  ///< from the first byte of what cudaHostRegister was given to the last, other memory included
  address_range read_only;  ///< literals and tables of the program, which a kernel may read
  /// Offset in the shared window of `dynamic_shared.begin`.
  address dynamic_shared_offset = 0;

  /// Where `a` lies in the block's shared window; nothing outside of it.
  [[nodiscard]] std::optional<address> shared_offset(address a) const {
    if (static_shared.contains(a)) return a - static_shared.begin;
    if (dynamic_shared.contains(a)) return a - dynamic_shared.begin + dynamic_shared_offset;
    return std::nullopt;
  }
};

class request_emitter {
 public:
  request_emitter(const memory_map&, std::uint64_t text_bytes);

  /// Before a launch. Whatever sites did before is forgotten.
  void prepare(const address_layout&, std::vector<observer*> observers);
  [[nodiscard]] const std::vector<observer*>& observers() const { return observers_; }
  /// Tells the observers the sums that they have not been told yet.
  void settle();

  /// Whether a request since the last call addressed host memory: a GPU would have stopped the kernel.
  [[nodiscard]] bool take_touched_host() { return std::exchange(touched_host_, false); }
  /// The same of the local memory of a thread by another one: on a GPU it would go on with other values.
  [[nodiscard]] bool take_touched_foreign_local() { return std::exchange(touched_foreign_local_, false); }
  /// The same of an address that its width does not allow.
  [[nodiscard]] bool take_misaligned() { return std::exchange(misaligned_, false); }

  /// Requests so far, those for local memory left out.
  [[nodiscard]] std::uint64_t requests() const { return requests_; }
  /// A warp has made so many since it was resumed, behind a barrier or at the beginning of its block.
  void note_warp(std::uint64_t requests) { busiest_warp_ = std::max(busiest_warp_, requests); }
  /// A warp has made its first request.
  void note_working_warp() { ++working_warps_; }

  /// One event of the lanes `active` (not empty) of `warp`. `addresses` and `values` have 32 entries; those of inactive
  /// lanes may hold anything, and all addresses may be overwritten. `values` may be null. `together`: the lanes of the segment.
  void emit(record_key key, std::uint32_t warp, lane_mask active, address* addresses, const std::uint64_t* values,
            lane_mask together);
  /// `count` events of the same lanes, all of the segment, one after the other: a key for each, and a row of 32 addresses. Behind
  /// a write may come the row of its values.
  void emit_rows(const record_key* keys, std::uint64_t* rows, std::size_t count, std::uint32_t warp, lane_mask active);

 private:
  /// The last request of a site, or of one piece of its structure.
  struct pattern {
    record_key key = no_key;  ///< of a piece: its own
    lane_mask active = 0;
    std::uint32_t pattern_id = 0;
    address begin = 0,
            span = 0;    ///< for all lanes to stay in the variable the lowest must lie at most `span` behind `begin`
    address lowest = 0;  ///< address of the lowest lane
    address phase_mask = 0;         ///< the bits of it that the cost depends on
    address shift = 0;              ///< from an address to the one that observers see
    std::uint64_t repetitions = 0;  ///< that nobody was told of yet
    /// A repetition as observers are told of it, but for the warp, where the lanes access, and what they store.
    warp_request request;
    std::array<std::uint64_t, warp_size> distance{};   ///< from the lowest lane
    std::array<std::uint64_t, warp_size> is_active{};  ///< all bits or none

    /// Whether the lowest lane's address allows for a repetition.
    [[nodiscard]] bool takes(address a) const { return a - begin <= span && ((a ^ lowest) & phase_mask) == 0; }
  };

  /// Of a site; null before its first request.
  struct site_pattern {
    pattern* last;
  };

  /// The piece of a structure that a request is about.
  struct piece {
    std::uint32_t whole = 0, offset = 0, number = 0;
  };

  [[nodiscard]] memory_space space_of(address) const;
  /// The range that holds it: of a variable, or of the stacks.
  [[nodiscard]] const address_range& range_of(address) const;
  [[nodiscard]] address normalised(memory_space, address) const;
  /// Whether all lanes address their own stacks, or what is on none.
  [[nodiscard]] bool are_own_locals(std::uint32_t warp, lane_mask, const address*) const;
  /// Whether lanes that address their own stacks ask for different places there: an index that differs between threads.
  [[nodiscard]] bool are_places_different(std::uint32_t warp, lane_mask, const address*) const;
  [[nodiscard]] const memory_region* region_of(memory_space, address normal) const;
  [[nodiscard]] pattern*& place_of(site where) { return pattern_of_[where < pattern_of_.size() ? where : 0].last; }
  [[nodiscard]] pattern& pattern_at(site);
  void take_rows(const record_key*, std::uint64_t* rows, std::size_t count, std::uint32_t warp, lane_mask active);
#ifdef __x86_64__
  [[gnu::target("avx2")]] void take_rows_by_fours(const record_key*, std::uint64_t* rows, std::size_t count,
                                                  std::uint32_t warp, lane_mask active);
#endif
  void emit_pieces(record_key key, std::uint32_t warp, lane_mask active, const address* addresses,
                   const std::uint64_t* values);
  void emit_copy(record_key, std::uint32_t warp, lane_mask active, const address* values);
  void emit_fetch(record_key, std::uint32_t warp, lane_mask active, const address* addresses);
  void emit_access(record_key key, const piece&, std::uint32_t warp, lane_mask active, address* addresses,
                   const std::uint64_t* values);
  void emit_request(record_key key, const piece&, std::uint32_t warp, lane_mask active, const address* addresses,
                    const std::uint64_t* values, pattern&);
  /// `addresses`: as observers see them.
  void deliver_repetition(pattern&, const piece&, std::uint32_t warp, const address* addresses,
                          const std::uint64_t* values);
  void learn(pattern&, record_key, const warp_request&, const address* addresses, const memory_region*);
  /// How far the addresses may move while each lane stays on its own stack.
  void limit_to_own_stacks(pattern&, const warp_request&) const;
  void settle(pattern&);

  const memory_map& map_;
  address_layout layout_;
  std::vector<observer*> observers_, of_requests_, of_new_requests_, of_repetitions_, of_steps_, of_step_sums_,
      of_divergent_steps_;
  lazy_memory<site_pattern> pattern_of_;  // by site
  std::vector<std::unique_ptr<pattern>> patterns_;
  std::uint64_t steps_ = 0, divergent_steps_ = 0;  // that nobody was told of yet
  std::uint64_t requests_ = 0, busiest_warp_ = 0, working_warps_ = 0;
  bool touched_host_ = false, touched_foreign_local_ = false, misaligned_ = false;
};

}  // namespace simtlab::emulator

// Turns the merged events of a warp into what observers see: finds the memory space and the variable, replaces shared
// addresses by offsets in the block's shared window, splits a request whose lanes address different spaces, and notices
// when a site repeats its last pattern.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/memory_map.h"
#include "core/types.h"
#include "observers/lazy_memory.h"
#include "observers/observer.h"
#include "trace/record.h"

namespace simtlab::emulator {

struct address_range {
  address begin = 0, end = 0;
  [[nodiscard]] bool contains(address a) const { return a - begin < end - begin; }
};

/// Where the memory spaces lie in the address space of one worker during one launch.
struct address_layout {
  address_range global;          ///< the arena of cudaMalloc
  address_range device;          ///< `__device__` variables
  address_range constant;        ///< `__constant__` variables
  address_range static_shared;   ///< this worker's thread-local segment
  address_range dynamic_shared;  ///< this worker's dynamic shared memory, slack around it included
  address_range local;           ///< the stacks of this worker's lanes
  address_range read_only;       ///< literals and tables of the program, which a kernel may read
  /// Offset in the shared window of `dynamic_shared.begin`.
  address dynamic_shared_offset = 0;
};

class request_emitter {
 public:
  request_emitter(const memory_map&, std::uint64_t text_bytes);

  void set_layout(const address_layout& layout) { layout_ = layout; }
  void set_observers(std::vector<observer*> observers);
  [[nodiscard]] const std::vector<observer*>& observers() const { return observers_; }

  /// Whether a request since the last call addressed host memory: a GPU would have stopped the kernel.
  [[nodiscard]] bool take_touched_host() { return std::exchange(touched_host_, false); }

  /// One event of the lanes `active` (not empty) of `warp`. `addresses` and `values` have 32 entries; those of inactive
  /// lanes may hold anything and may be overwritten. `values` may be null. `together`: the lanes of the segment.
  void emit(record_key key, std::uint32_t warp, lane_mask active, address* addresses, const std::uint64_t* values,
            lane_mask together);

 private:
  /// The last request of a site.
  struct pattern {
    record_key key = no_key;
    lane_mask active = 0;
    memory_space space{};
    const memory_region* region = nullptr;
    std::int64_t lowest = 0, highest = 0;  ///< distances of the outermost lanes from the lowest active lane
    std::uint32_t phase = 0;               ///< address of that lane, as far as the cost depends on it
    std::array<std::uint64_t, warp_size> distance{};
  };

  /// The piece of a structure that a request is about.
  struct piece {
    std::uint32_t width = 0, whole = 0, offset = 0, number = 0;
  };

  [[nodiscard]] memory_space space_of(address) const;
  [[nodiscard]] const memory_region* region_of(memory_space, address normal) const;
  [[nodiscard]] address normalised(memory_space, address) const;
  pattern& pattern_at(site);
  void emit_pieces(record_key key, std::uint32_t warp, lane_mask active, const address* addresses,
                   const std::uint64_t* values);
  void emit_fetch(record_key, std::uint32_t warp, lane_mask active, const address* addresses);
  void emit_access(record_key key, const piece&, std::uint32_t warp, lane_mask active, address* addresses,
                   const std::uint64_t* values);
  void emit_request(record_key key, const piece&, std::uint32_t warp, lane_mask active, address* addresses,
                    const std::uint64_t* values, pattern*);
  void deliver(const warp_request&);

  const memory_map& map_;
  address_layout layout_;
  std::vector<observer*> observers_, of_requests_, of_steps_;
  lazy_memory<std::uint32_t> pattern_index_;  // by site
  bool touched_host_ = false;
  std::vector<std::unique_ptr<pattern>> patterns_;
};

}  // namespace simtlab::emulator

// Does a kernel fetch through a texture what the same launch has written before?
//
// Rule: stale_texel. Texture memory is cached, and the cache is not kept coherent with writes of the same launch: a fetch of a place
// that the same thread or another has written before in it returns undefined data (CUDA C++ Programming Guide, "Texture and Surface
// Memory" under "Device Memory Accesses"). A fetch before the write is in order. What no barrier orders is a race, which the
// detectors of races tell, since to them a fetch is a read; so this looks at what came before in the same warp, or before a barrier of
// the block.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/memory_map.h"
#include "observers/observer.h"
#include "report/finding_log.h"

namespace simtlab::emulator {

class stale_texels {
 public:
  stale_texels(const memory_map& map, finding_log& findings) : map_(map), findings_(findings) {}

  void block_begins(const block_info&);
  void barrier() { ++intervals_; }
  /// A write or atomic operation in global memory; `lanes`: those within bounds.
  void note_store(const warp_request&, lane_mask lanes);
  /// A fetch, or a further texel of one.
  void check(const warp_request&);

 private:
  struct store {
    site where = 0;
    std::uint32_t warp = 0, thread = 0;
    std::uint64_t interval = 0;  ///< barriers of the block before it
    std::uint8_t bytes = 0;      ///< of the word, one bit each
  };
  void report(const warp_request&, unsigned lane, const store&);

  const memory_map& map_;
  finding_log& findings_;
  const block_info* block_ = nullptr;
  std::uint64_t intervals_ = 0;
  std::unordered_map<address, std::vector<store>> stores_;  // by word of 8 bytes; the first of a line and a warp
};

}  // namespace simtlab::emulator

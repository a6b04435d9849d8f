// Occupancy: how many blocks of a kernel fit on a multiprocessor at once.
//
// The rule is that of the CUDA Toolkit's occupancy calculator (cuda_occupancy.h): the smallest of four quotients.
//   blocks     the multiprocessor's limit
//   warps      its warps / the block's warps, which are the threads / 32, rounded up
//   shared     its shared memory / (static + dynamic + reserved bytes, rounded up to 128; 256 before compute capability 8)
//   registers  a warp takes 32 x the kernel's registers, rounded up to 256; a quarter of the registers (half with compute
//              capability 6.0 and 2.x) serves a quarter of the warps; those warps / the block's warps
#pragma once

#include <cstddef>

#include "core/gpu_model.h"

namespace simtlab::emulator {

struct block_needs {
  unsigned threads = 1;
  std::size_t static_shared = 0, dynamic_shared = 0;
  unsigned registers = 0;  ///< of a thread; 0: not known, so that they limit nothing
};

enum class occupancy_limit : unsigned char { blocks, warps, shared_memory, registers };

struct occupancy {
  static constexpr unsigned unlimited = ~0U;
  unsigned blocks = 0;  ///< on one multiprocessor; 0: the block does not fit at all
  unsigned warps = 0;   ///< of these blocks
  unsigned most_warps = 0;
  occupancy_limit limited_by = occupancy_limit::blocks;
  unsigned by_blocks = 0, by_warps = 0, by_shared_memory = unlimited, by_registers = unlimited;
};

[[nodiscard]] occupancy occupancy_of(const gpu_model&, const block_needs&);
/// `threads`, `shared memory`, ...: what to change first.
[[nodiscard]] const char* limit_name(occupancy_limit);

}  // namespace simtlab::emulator

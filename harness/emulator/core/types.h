// The words that every part of the emulator shares: coordinates, memory spaces, kinds of access, code sites.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simtlab::emulator {

inline constexpr unsigned warp_size = 32;

/// One bit per lane of a warp, lane 0 in bit 0.
using lane_mask = std::uint32_t;
inline constexpr lane_mask full_warp = 0xffffffffu;

/// A byte address as an observer sees it. Global, constant and local memory: the address in this process.
/// Shared memory: the offset inside the block's shared window (see shared_window.h), the same on every worker.
using address = std::uint64_t;

struct address_range {
  address begin = 0, end = 0;
  [[nodiscard]] bool contains(address a) const { return a - begin < end - begin; }
};

/// The place in the student's machine code that made an access: an offset into the program's text.
/// `report/source_map.h` turns it into a file and a line. 0 means "unknown".
using site = std::uint32_t;

/// The least multiple of `to` that is not below `n`.
constexpr std::size_t rounded_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

struct coordinates {
  unsigned x = 0, y = 0, z = 0;
  friend bool operator==(const coordinates&, const coordinates&) = default;
};

/// Extents of a grid or a block; never zero.
struct extents {
  unsigned x = 1, y = 1, z = 1;
  [[nodiscard]] constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend bool operator==(const extents&, const extents&) = default;
};

/// The coordinates of the element with linear index `index`, x running fastest as CUDA numbers threads and blocks.
constexpr coordinates coordinates_of(std::uint64_t index, const extents& within) {
  return {static_cast<unsigned>(index % within.x), static_cast<unsigned>(index / within.x % within.y),
          static_cast<unsigned>(index / (std::uint64_t{within.x} * within.y))};
}

enum class memory_space : std::uint8_t {
  global,    ///< cudaMalloc'd memory and `__device__` variables
  shared,    ///< `__shared__`, static and dynamic
  constant,  ///< `__constant__` variables
  local,     ///< a thread's own stack: arrays and spills whose address is taken
  host,      ///< memory of the host program: no kernel may touch it
  unmapped,  ///< inside the device's address range, but in no live allocation, or nowhere at all
  texture    ///< global memory and arrays, read by texture fetches
};

enum class access : std::uint8_t { read, write, atomic };

/// What tells the costs of atomic operations on shared memory apart (costs/bank_conflicts.h).
enum class atomic_kind : std::uint8_t {
  plain,
  count,  ///< adds the constant one, and nobody asks for what was there
  swap,   ///< compares and swaps
  loop,   ///< no instruction of the device: a loop of swaps
  spin,   ///< one round of such a loop, as nvcc makes it: at each bank one lane swaps
  probe  ///< of an address of any space (ATOM), which shared memory cannot do: the lanes learn that they need such a loop
};

/// Why a request was kept as an example of its place (observers/request_examples.h).
enum class kept_for : std::uint8_t { most_frequent, worst, first_partial, at_random };

/// What a warp did where a traced block recorded it (observers/block_tracer.h): a request, a basic block that a part of its lanes
/// entered, or a warp primitive.
enum class traced_action : std::uint8_t { request, branch, syncwarp, shuffle, vote, match, reduce };

/// Identifies a named piece of memory in the memory map (an allocation, a symbol); 0 means "no name known".
using variable_id = std::uint32_t;

}  // namespace simtlab::emulator

// The one narrow interface between the trace and everything that counts or checks.
//
// The trace delivers, for each worker and in the order in which a warp would have executed them, the requests of one
// warp segment (the instructions up to the next barrier, warp primitive or exit), then the event that ended the
// segment. Each worker owns its own observers, so an observer needs no lock for its own state; what must be seen across
// blocks (races between blocks, initialised bytes) lives in an object that the workers' observers share.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/lane_stacks.h"
#include "core/types.h"

namespace simtlab::emulator {

class finding_log;    // report/finding_log.h
class counter_table;  // costs/counter_table.h

/// An argument of a launch that points to host memory.
struct named_pointer {
  address value = 0;
  std::string name;  ///< the kernel's parameter
};

struct memory_stretch {
  address begin = 0;
  std::uint64_t bytes = 0;
};

/// What is the same for every block of one launch.
struct launch_info {
  std::uint64_t ordinal = 0;  ///< 1 for the first launch of the program
  std::string kernel;         ///< as written in the source, template arguments included: `tiled<16>`
  extents grid, block;
  std::size_t dynamic_shared_bytes = 0;
  std::vector<named_pointer> host_pointers;
  bool names_racing_threads = false;  ///< options::names_racing_threads
  address last_fault = 0;  ///< that a lane was stopped for, and told; `wild_fault`: one that no pointer can hold
  static constexpr address wild_fault = ~address{0};
  std::vector<memory_stretch>
      textures;  ///< what living texture objects read, arrays without a surface left out: no kernel writes those
};

/// What is the same for every request of one block.
struct block_info {
  const launch_info* launch = nullptr;
  std::uint64_t index = 0;  ///< linear, x fastest
  coordinates where;
  unsigned threads = 0;
  lane_stacks stacks{};  ///< where its threads have their local memory
};

/// One warp instruction that accesses memory, with at least one active lane.
struct warp_request {
  site where = 0;
  access kind = access::read;
  memory_space space = memory_space::global;  ///< of the lowest active lane
  variable_id variable = 0;                   ///< of the lowest active lane
  std::uint32_t width = 4;                    ///< bytes per lane: 1, 2, 4, 8, 16, or more for a range access
  std::uint32_t warp = 0;                     ///< index in the block
  lane_mask active = 0;
  atomic_kind atomic = atomic_kind::plain;  ///< of an atomic operation
  bool in_block = false;                    ///< an atomic operation, of_atomic or not, of block scope
  bool changes_nothing = false;             ///< an atomic operation that leaves whatever stands there
  bool reads_nothing = false;               ///< an atomic exchange whose result nobody uses
  bool of_atomic = false;                   ///< a load or store that nvcc makes an atomic operation of, or part of one
  bool is_copy = false;                     ///< a write of what the same instruction reads in global memory
  /// Of an atomic operation by an address of any space (ATOM): groups of lanes for which shared memory is asked in vain.
  std::uint8_t vain_passes = 0;
  const address* addresses = nullptr;     ///< [32], indexed by lane, valid where active
  const std::uint64_t* values = nullptr;  ///< [32]: a hash of the bytes a write stored; null where unknown
  /// Where the trace remembers what this request is compared with: a number from 1 on, in one launch the same for the requests
  /// of one site, or of one piece of a structure; 0: a request that no other repeats. A worker's numbers are few.
  std::uint32_t pattern_id = 0;
  /// The previous request of this worker and launch with this pattern_id had the same site, kind, width, space, variable and active
  /// lanes, the same distances between its lanes, and the same address of the lowest lane modulo 128 (in shared memory modulo
  /// the width, 4 at least: a shift by whole words only rotates the banks): whatever depends on these alone may be reused.
  bool repeats = false;
  /// Where the source accesses a whole structure, of which this is a piece: its bytes, and the piece's distance from its
  /// begin; otherwise 0.
  std::uint32_t whole = 0, offset = 0;
  /// Local memory: lanes ask for different places of their own stacks.
  bool is_indexed = false;
  /// Texture fetches: the lanes that read a texel at their address; the others' coordinates lie outside.
  lane_mask texels = 0;
  /// Texture fetches: a further texel of the request before, read for the filter. No request of its own.
  bool is_extra_filter_tap = false;

  /// What the source accesses at once, for people.
  [[nodiscard]] std::uint32_t source_width() const { return whole == 0 ? width : whole; }
  /// Linear index in the block of the thread that runs `lane`.
  [[nodiscard]] std::uint32_t thread(unsigned lane) const { return warp * warp_size + lane; }
};

/// A warp enters a basic block of the source with the lanes of `active`; `together` are the lanes that were in the
/// same segment, so `active != together` means that the warp has diverged here.
struct warp_step {
  site where = 0;
  std::uint32_t warp = 0;
  lane_mask active = 0;
  lane_mask together = 0;
};

/// Where the threads of a block stood when none of them could run on.
struct barrier_arrival {
  site where = 0;  ///< the call of `__syncthreads` or one of its family
  std::uint32_t threads = 0;
  std::uint32_t first_thread = 0;
};

/// A block barrier is released.
struct barrier_event {
  std::vector<barrier_arrival> arrivals;  ///< one per call site, ordered by site
  std::uint32_t exited = 0;               ///< threads that had returned from the kernel
  std::uint32_t first_exited = 0;
  std::uint32_t threads = 0;  ///< of the block
  bool of_grid = false;       ///< every block of the launch has come to it
};

enum class warp_operation : std::uint8_t { syncwarp, shuffle, vote, match, reduce };

/// A warp primitive is executed by the lanes of `arrived`.
struct warp_primitive_event {
  site where = 0;
  warp_operation operation = warp_operation::syncwarp;
  std::uint32_t warp = 0;
  lane_mask mask = 0;     ///< as the program gave it, cut to the lanes the warp has
  bool of_group = false;  ///< the mask is a cooperative group's
  lane_mask arrived = 0;  ///< lanes that execute it together
  lane_mask exited = 0;   ///< lanes of the warp that have returned from the kernel
  /// Shuffles: lane that each arrived lane reads from; a lane outside `arrived` gives an undefined value.
  std::array<std::uint8_t, warp_size> source{};
};

/// Lanes of a warp have passed fences: which mark each left (happens_before.h). Comes between the requests before and behind.
struct warp_marks {
  std::uint32_t warp = 0;
  lane_mask active = 0;
  const address* marks = nullptr;  ///< [32], valid where active
};

/// Lanes of a warp have freed memory of the heap of kernels, by where it begins. Comes between the requests before and behind.
struct heap_frees {
  std::uint32_t warp = 0;
  lane_mask active = 0;
  const address* begins = nullptr;  ///< [32], valid where active
};

/// What a lane does with asynchronous copies to shared memory. `begin`: a copy was asked for, of `bytes` to the address; `begin_tracked`:
/// one that a barrier keeps track of; `commit`: those before are a group; `wait`: until all but so many groups are complete;
/// `wait_for_all`; `arrive`: at a barrier that keeps track.
enum class copy_event : std::uint8_t { begin, begin_tracked, commit, wait, wait_for_all, arrive };

struct copy_step {
  site where = 0;
  copy_event what{};
  std::uint32_t bytes = 0;
  std::uint32_t warp = 0;
  lane_mask active = 0;
  const address* values = nullptr;  ///< [32], valid where active: addresses as of requests, or numbers of groups
};

/// How much an observer wants to know of events that come very often.
enum class detail : std::uint8_t {
  none,
  aggregate,  ///< what is new, and how often it came again: costs the trace next to nothing
  full
};

/// Counts or checks. Every callback has an empty default; an observer overrides what it needs.
class observer {
 public:
  observer() = default;
  observer(const observer&) = delete;  // identity matters: the trace holds pointers
  observer& operator=(const observer&) = delete;
  virtual ~observer() = default;

  /// `aggregate`: a request that `repeats` is not told by `request`, but by `repeated`.
  [[nodiscard]] virtual detail request_detail() const { return detail::full; }
  /// `aggregate`: steps are told by `steps` alone.
  [[nodiscard]] virtual detail step_detail() const { return detail::none; }

  /// Whether `divergent_step` is to be called, which costs nothing where warps stay together.
  [[nodiscard]] virtual bool wants_divergent_steps() const { return false; }

  virtual void launch_begins(const launch_info&) {}
  virtual void block_begins(const block_info&) {}
  virtual void request(const warp_request&) {}
  /// The last request that was told with this pattern_id came again, `times` times in all. Comes before the next one with this pattern_id
  /// is told, and at the latest before the launch ends.
  virtual void repeated(std::uint32_t /*pattern_id*/, std::uint64_t /*times*/) {}
  virtual void step(const warp_step&) {}
  /// Of the steps those that a part of the segment's lanes makes, `active != together`.
  virtual void divergent_step(const warp_step&) {}
  /// Warps entered basic blocks so often since this was told last, `divergent` of them with a part of their lanes. Comes at the
  /// latest before the launch ends.
  virtual void steps(std::uint64_t /*all*/, std::uint64_t /*divergent*/) {}
  /// Of the warps of all blocks so far, the most requests that one made between two barriers, those for local memory left out.
  /// Comes with `steps`.
  virtual void busiest_warp(std::uint64_t /*requests*/) {}
  /// So many warps made their first request, those for local memory left out, since this was told last. Comes with `steps`.
  virtual void working_warps(std::uint64_t /*warps*/) {}
  /// So many machine instructions were executed since this was told last, by warps and by their lanes. Comes with `steps`, of machine
  /// code alone.
  virtual void instructions(std::uint64_t /*warps*/, std::uint64_t /*lanes*/) {}
  virtual void barrier(const barrier_event&) {}
  virtual void warp_primitive(const warp_primitive_event&) {}
  virtual void order(const warp_marks&) {}
  virtual void copies(const copy_step&) {}
  virtual void frees(const heap_frees&) {}
  virtual void block_ends() {}
  /// Called for one worker after the other, in the order of their numbers: the place to add up results.
  virtual void launch_ends() {}
};

}  // namespace simtlab::emulator

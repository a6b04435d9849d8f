// Is memory read before anything was stored there?
//
// Rules: uninitialised_shared (shared memory holds garbage when a block starts: CUDA C++ Programming Guide, "Shared Memory"),
// uninitialised_global (cudaMalloc does not clear: CUDA Runtime API, cudaMalloc). Byte by byte, for reads and atomics. An
// atomic leaves its bytes initialised.
//
// A read of what another thread of the block stores before the next barrier is a race, whose message says more, or ordered
// by means of its own: a fenced flag. Requests tell lanes of one warp in the order of the code and not in that of such
// flags. So an unset read is judged at the barrier: it counts unless another thread stored to the place meanwhile, with no
// __syncwarp() of both in between.
//
// Whether block 1 finds what block 0 wrote is chance, so a plain read of unset global memory is judged once more when the
// launch is over: it counts unless another block stored to the place. Atomics count once per place, and name no thread,
// since which came first is chance too.
#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "checks/access_pattern.h"
#include "checks/shared_state.h"
#include "observers/observer.h"
#include "report/finding_log.h"

namespace simtlab::emulator {

class initialisation {
 public:
  initialisation(shared_state& shared, worker_memory& memory, finding_log& findings)
      : shared_(shared), memory_(memory), findings_(findings) {}

  void launch_begins(const launch_info&);
  void block_begins(const block_info&);
  /// A barrier is released, or the block is over.
  void barrier();
  /// `__syncwarp()` orders the lanes of `mask`.
  void orders_lanes(std::uint32_t warp, lane_mask mask);
  /// `lanes`: those whose access is within bounds.
  void check(const warp_request&, const access_pattern&, lane_mask lanes);
  /// Whether in this launch a block other than `block` stored something plainly in [at, at + bytes).
  using written_by_others = std::function<bool(address at, std::uint64_t bytes, std::uint64_t block)>;
  void launch_ends(const written_by_others&);

 private:
  struct unset_read {
    std::uint32_t width = 0;
    variable_id variable = 0;
    std::uint64_t block = 0, thread = 0;  ///< the first of this worker
    std::uint64_t count = 0;
  };

  /// Unset reads of one element by one thread since the last barrier.
  struct recent_unset_read {
    memory_space space = memory_space::shared;
    std::uint32_t width = 0;
    variable_id variable = 0;
    std::uint64_t block = 0, count = 0;
    bool stored_by_another = false;
    lane_mask ordered = 0;  ///< the lanes of its warp that have passed a __syncwarp() with the reader since
  };

  void note_stores(const warp_request&, lane_mask lanes);
  void note_unset_read(const warp_request&, unsigned lane);
  void keep_until_launch_ends(address, site, std::uint64_t thread, const recent_unset_read&);
  void check_shared(const warp_request&, const access_pattern&, lane_mask);
  void check_global(const warp_request&, const access_pattern&, lane_mask);
  [[nodiscard]] bool is_set_shared(const warp_request&, address) const;
  [[nodiscard]] bool all_shared(address, std::uint64_t bytes) const;
  [[nodiscard]] bool is_whole(variable_id v) const { return v < is_whole_.size() && is_whole_[v]; }
  void find_whole_variables();
  void mark_shared(address, std::uint64_t bytes);
  void report(rule, site, access, memory_space, address, std::uint32_t width, const std::uint64_t* thread,
              const sighting& rank, std::uint64_t times);

  shared_state& shared_;
  worker_memory& memory_;
  finding_log& findings_;
  launch_info launch_;
  const block_info* block_ = nullptr;
  struct shared_variable {
    variable_id id = 0;
    address begin = 0, end = 0;
    address set_below = 0;  ///< at the last barrier
  };
  std::vector<shared_variable> shared_variables_;
  std::vector<bool> is_whole_;  // by the variable's number: nothing of it was unset at the last barrier
  std::map<std::tuple<site, address>, unset_read> unset_reads_;
  bool forgot_reads_ = false;
  std::map<std::tuple<address, site, std::uint32_t>, recent_unset_read> recent_unset_reads_;  // place, line, thread
};

}  // namespace simtlab::emulator

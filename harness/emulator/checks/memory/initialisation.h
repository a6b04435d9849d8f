// Is memory read before anything was stored there?
//
// Rules: uninitialised_shared (shared memory holds garbage when a block starts: CUDA C++ Programming Guide, "Shared Memory"),
// uninitialised_global (cudaMalloc does not clear: CUDA Runtime API, cudaMalloc). Byte by byte, for reads and atomics. An
// atomic leaves its bytes initialised.
//
// In shared memory a read of what another thread stores before the next barrier is a race, whose message says more; so an
// unset read is judged at the barrier: it counts unless another thread stored to the place meanwhile.
//
// Whether block 1 finds what block 0 wrote is chance, so a plain read of unset global memory is judged when the launch is
// over: it counts unless another block stored to the place. (Then it is a race, or ordered by means of its own.) Atomics
// count once per place, and name no thread, since which came first is chance too.
#pragma once

#include <functional>
#include <map>
#include <tuple>
#include <utility>
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

  /// Unset reads of one element of shared memory by one thread since the last barrier.
  struct unset_shared_read {
    std::uint32_t width = 0;
    std::uint64_t count = 0;
    bool stored_by_another = false;
  };

  void note_stores(const warp_request&, lane_mask lanes);
  void check_shared(const warp_request&, const access_pattern&, lane_mask);
  void check_global(const warp_request&, const access_pattern&, lane_mask);
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
  std::map<std::tuple<address, site, std::uint32_t>, unset_shared_read> unset_shared_reads_;  // place, line, thread
};

}  // namespace simtlab::emulator

// Does a kernel use shared memory that an asynchronous copy still writes?
//
// Rule: shared_race. A copy (cp.async, __pipeline_memcpy_async, memcpy_async) is complete for the thread that asked for it when that
// thread has waited for the copy's group, and for others behind a barrier after that wait (PTX ISA, "Data Movement and Conversion
// Instructions: Asynchronous copy"); what a cuda::barrier or a block's pipeline keeps track of, when the thread arrives there. The
// emulator copies at once, so this remembers what is open: until then nobody may touch the bytes. Where a copy is complete its bytes are
// handed on as written there and then, so that the detectors of races see a wait without a barrier behind it.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "core/memory_map.h"
#include "observers/observer.h"
#include "report/finding_log.h"

namespace simtlab::emulator {

class pending_copies {
 public:
  pending_copies(const memory_map& map, finding_log& findings) : map_(map), findings_(findings) {}

  void block_begins(const block_info&);
  /// An access of shared memory; `lanes`: those within bounds.
  void check(const warp_request& r, lane_mask lanes) {
    if (!words_.empty()) [[unlikely]]
      look_up(r, lanes);
  }
  using completion = std::function<void(const warp_request& written)>;
  void note(const copy_step&, const completion&);

 private:
  struct open_copy {
    site where = 0;
    address at = 0;
    std::uint32_t bytes = 0, group = 0;  ///< groups that the thread committed before
    bool is_tracked = false;             ///< by a barrier
  };
  struct thread_copies {
    std::vector<open_copy> open;
    std::uint32_t committed = 0;  ///< groups
    std::uint32_t waited_at = 0;  ///< groups that were committed when the thread waited last; 0: it has not
  };
  struct word_writer {
    std::uint32_t thread = 0;
    open_copy copy;
  };
  void begin(std::uint32_t thread, const open_copy&);
  /// Takes out what is complete.
  std::vector<open_copy> completed(std::uint32_t thread, const copy_step&);
  void hand_on(const copy_step&, std::vector<std::vector<open_copy>>& of_lanes, const completion&) const;
  void look_up(const warp_request&, lane_mask lanes);
  void report(const warp_request&, unsigned lane, const word_writer&);
  [[nodiscard]] std::string advice(const word_writer&, std::uint32_t thread) const;

  const memory_map& map_;
  finding_log& findings_;
  const block_info* block_ = nullptr;
  std::unordered_map<std::uint32_t, thread_copies> threads_;
  std::unordered_map<address, word_writer> words_;  // by word of 4 bytes
};

}  // namespace simtlab::emulator

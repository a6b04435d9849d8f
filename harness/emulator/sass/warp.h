// The state of a warp: registers by lane, predicates as masks of lanes, and its groups of lanes.
//
// Lanes that stand at one instruction and go on together are a group. Groups part where a branch sends lanes to different places, and
// join nowhere but at BSYNC (the lanes that BSSY named), at WARPSYNC and at BAR: two groups that meet at one instruction stay two,
// as on the GPU, which counts each one's instructions. A BSYNC lets lanes go on without those that have yielded. The group
// that stands at the lowest address runs first; one that has run long while others could is left for them: lanes may wait for one another.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/types.h"
#include "sass/instruction.h"

namespace simtlab::emulator::sass {

class block_context;

/// A value per lane.
struct alignas(64) lane_row {
  std::uint32_t lane[warp_size];
};

/// The bit that a lane has in a mask.
inline constexpr lane_row bits_of_lanes = [] {
  lane_row r{};
  for (unsigned l = 0; l < warp_size; ++l) r.lane[l] = lane_mask{1} << l;
  return r;
}();

enum class group_state : std::uint8_t {
  runs,
  at_convergence,  ///< BSYNC
  at_warp_sync,    ///< WARPSYNC
  at_barrier,      ///< BAR
  yielded          ///< YIELD: holds nobody up, and goes on when nothing else can
};

struct lane_group {
  lane_mask lanes = 0;
  std::uint32_t pc = 0;
  group_state state = group_state::runs;
  std::uint8_t barrier = 0;    ///< which one it waits at
  lane_mask awaited = 0;       ///< at a WARPSYNC
  std::uint32_t threads = 0;   ///< at a BAR: how many it wants; 0: all of the block
  std::uint32_t waits_at = 0;  ///< number of the BAR or WARPSYNC
  bool was_passed = false;     ///< yielded, and a BSYNC let others go on without it: not beside lanes that yield anew
};

class warp {
 public:
  static constexpr unsigned zero_row = 255, sink_row = 256, convergence_barriers = 16;

  /// At the kernel's first instruction, registers zero.
  void begin(block_context&, std::uint32_t number, lane_mask lanes, std::uint32_t pc);

  // What handlers read and write.
  std::array<lane_row, 257> registers;  ///< row 255 is zero; what is written to RZ goes to row 256
  std::array<std::uint32_t, 8> predicates;
  std::array<std::uint32_t, 8> uniform_predicates;  ///< all bits or none
  std::array<std::uint32_t, 65> uniforms;           ///< 63 is zero
  lane_mask active = 0;                             ///< lanes of the running group
  lane_mask on = 0;                                 ///< of these, the ones whose guard holds
  lane_row on_row;                                  ///< all bits where a lane is on
  std::uint32_t pc = 0;                             ///< of the instruction behind the one that runs
  lane_mask alive = 0;                              ///< lanes that have not ended
  std::array<std::array<lane_mask, warp_size>, convergence_barriers> participants;     ///< by barrier and lane
  std::array<std::array<std::uint32_t, warp_size>, convergence_barriers> opened_at{};  ///< by which BSSY
  block_context* block = nullptr;
  std::uint32_t number = 0;

  /// Only these lanes of the group are to take part.
  void put_on(lane_mask lanes) {
    on = lanes;
    for (unsigned l = 0; l < warp_size; ++l) on_row.lane[l] = (lanes & bits_of_lanes.lane[l]) != 0 ? ~0U : 0;
  }

  // What control instructions do to the running group.
  void branch(lane_mask taken, std::uint32_t target);
  void branch_each(lane_mask taken, const std::uint32_t (&targets)[warp_size]);
  /// BSSY; `at`: number of the instruction. Lanes that were passed at its BSYNC belong to the barrier again.
  void open_convergence(unsigned barrier, std::uint32_t at);
  void converge(unsigned barrier);
  void leave_convergence(unsigned barrier);
  /// `at`: number of the instruction.
  void synchronise(lane_mask awaited, std::uint32_t at);
  /// Lanes of one mask wait for one another, and go on as a group of their own.
  void wait_apart(const std::uint32_t* masks, group_state, unsigned barrier, std::uint32_t at);
  void yield();
  void end_lanes(lane_mask);
  void wait_at_barrier(unsigned barrier, std::uint32_t threads, std::uint32_t at);
  /// Gives way to another group, if one can run.
  void rotate();

  /// Whether a group can run; makes it the running one.
  bool select();
  [[nodiscard]] bool runs() const { return running_ >= 0; }
  [[nodiscard]] bool has_others() const { return groups_.size() > 1; }
  [[nodiscard]] const std::vector<lane_group>& groups() const { return groups_; }
  /// The groups at this BAR go on, those of one instruction as one.
  void release_barrier(unsigned barrier);
  /// Back to the groups: call before reading them.
  void park();

 private:
  /// The running group stops here and waits for something.
  void wait(const lane_group&);
  /// Groups whose awaited lanes have all come go on as one.
  void release();
  bool release_convergence(const lane_group&);
  bool release_warp_sync(const lane_group&);
  void join(lane_mask lanes, group_state, unsigned barrier, std::uint32_t pc);
  void drop_empty_groups();

  std::vector<lane_group> groups_;
  int running_ = -1;
};

}  // namespace simtlab::emulator::sass

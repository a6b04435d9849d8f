// What observers see of machine code: requests, with the places and variables that they concern, and whether an instruction repeats its
// last pattern; steps; sums of what is told in sums.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/lane_stacks.h"
#include "observers/observer.h"
#include "sass/surroundings.h"

namespace simtlab::emulator::sass {

/// One instruction's access to one space of memory, by at least one lane.
struct memory_access {
  std::uint32_t instruction = 0;  ///< its number
  site where = 0;
  access kind = access::read;
  memory_space space = memory_space::global;  ///< global stands for all that process addresses may be
  std::uint32_t width = 4;
  std::uint32_t warp = 0;
  lane_mask lanes = 0;
  atomic_kind atomic = atomic_kind::plain;
  bool in_block = false, changes_nothing = false, reads_nothing = false, of_atomic = false, is_copy = false;
  std::uint8_t vain_passes = 0;
  const address* addresses = nullptr;     ///< [32], as observers see them
  const std::uint64_t* values = nullptr;  ///< [32] or null
};

class request_stream {
 public:
  request_stream(std::span<observer* const>, surroundings&, std::size_t instructions);

  void tell(const memory_access&);
  /// A texture fetch; `is_extra`: what the filter reads besides.
  void tell_fetch(const memory_access&, lane_mask texels, bool is_extra);
  void step(const warp_step& s) {
    ++steps_;
    if (s.active != s.together) {
      ++divergent_steps_;
      for (observer* o : of_divergent_steps_) o->divergent_step(s);
    }
    for (observer* o : of_steps_) o->step(s);
  }
  void primitive(const warp_primitive_event& e) {
    for (observer* o : observers_) o->warp_primitive(e);
  }
  void barrier(const barrier_event& e) {
    for (observer* o : observers_) o->barrier(e);
  }
  void frees(const heap_frees& f) {
    for (observer* o : observers_) o->frees(f);
  }
  void block_begins(const block_info&);
  void block_ends();
  /// A warp made so many requests between two barriers.
  void note_warp(std::uint64_t requests) { busiest_warp_ = std::max(busiest_warp_, requests); }
  void note_working_warp() { ++working_warps_; }
  void note_instructions(std::uint64_t warps, std::uint64_t lanes) {
    warp_instructions_ += warps;
    lane_instructions_ += lanes;
  }
  /// Tells the sums that observers have not been told yet.
  void settle();

  /// Whether somebody looks at each request: values that writes store are wanted then.
  [[nodiscard]] bool wants_each() const { return !of_requests_.empty(); }
  [[nodiscard]] bool is_watched() const { return !of_new_requests_.empty(); }
  /// Requests so far, those for local memory left out.
  [[nodiscard]] std::uint64_t requests() const { return requests_; }

 private:
  /// The last request of an instruction.
  struct pattern {
    lane_mask lanes = 0;
    memory_space space = memory_space::unmapped;  ///< of the access
    address begin = 0,
            span = 0;  ///< for all lanes to stay in the variable the lowest must lie at most `span` behind `begin`
    address lowest = 0, phase_mask = 0;
    std::uint64_t repetitions = 0;
    std::uint32_t pattern_id = 0;
    warp_request request;
    std::array<std::uint64_t, warp_size> distance{};
    bool can_repeat = false;
  };

  [[nodiscard]] memory_place place_of(memory_space, address) const;
  void tell_new(const memory_access&, pattern&);
  void learn(pattern&, const memory_access&, const warp_request&, const memory_place&);
  void settle(pattern&);

  surroundings& around_;
  std::vector<observer*> observers_, of_requests_, of_new_requests_, of_repetitions_, of_steps_, of_step_sums_,
      of_divergent_steps_;
  std::vector<std::unique_ptr<pattern>>
      patterns_;  // two for each instruction, the second of what a copy writes; null before the first request
  std::uint32_t pattern_ids_ = 0;
  lane_stacks stacks_;
  std::uint64_t steps_ = 0, divergent_steps_ = 0, requests_ = 0, busiest_warp_ = 0, working_warps_ = 0,
                warp_instructions_ = 0, lane_instructions_ = 0;
};

}  // namespace simtlab::emulator::sass

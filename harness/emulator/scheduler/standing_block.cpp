// The part of the worker that says where the lanes of its block stand: those that go on without end, those that can never go on, and
// where all of them are when the launch is stopped.
#include <algorithm>
#include <bit>
#include <utility>

#include "checks/region_text.h"
#include "scheduler/worker.h"

namespace simtlab::emulator {

void worker::stop_endless_loop() {
  if (launch_->is_stopped() || launch_->is_stopped_earlier()) return;
  const site where = log_.last_site(running_lane_);
  if (launch_->findings->first_time(rule::endless_loop, where, 0, 0)) {
    launch_->findings->add(
        {rule::endless_loop,
         launch_->info.kernel,
         "",
         place_of_running(where, "is still running"),
         {},
         "The kernel was stopped: this thread ran through " + std::to_string(launch_->events_per_thread) +
             " memory accesses and branches without ending. Does the loop's condition ever become "
             "false, and does its counter change?"},
        0);
  }
  launch_->stop(stop_reason::timeout);
}

void worker::report_deadlock() {
  const lane* stuck = nullptr;
  const lane* other = nullptr;
  std::uint32_t at_primitive = 0, at_barrier = 0, exited = 0;
  for (std::uint32_t i = 0; i < block_.threads; ++i) {
    const lane_state s = state_of(i);
    if (s == lane_state::at_primitive && at_primitive++ == 0) stuck = &lanes_[i];
    if (s == lane_state::at_barrier && at_barrier++ == 0) other = &lanes_[i];
    exited += s == lane_state::exited;
  }
  // The lanes that it waits for, if they wait elsewhere.
  const std::uint32_t warp_begin = thread_of(*stuck) / warp_size * warp_size;
  const char* waits = "waits at a block barrier";
  for (std::uint32_t i = std::min(warp_begin + warp_size, block_.threads); i-- > warp_begin;)
    if (state_of(i) == lane_state::at_primitive && lanes_[i].where != stuck->where) {
      other = &lanes_[i];
      waits = "waits at another call";
    }
  if (launch_->is_stopped_earlier()) return;
  launch_->stop(stop_reason::timeout);
  if (!launch_->findings->first_time(rule::warp_deadlock, stuck->where, other == nullptr ? 0 : other->where, 0)) return;
  raw_finding found{rule::warp_deadlock,
                    launch_->info.kernel,
                    "",
                    place_of(*stuck, stuck->where, "waits for lanes of its warp"),
                    {},
                    ""};
  if (other != nullptr) found.second = place_of(*other, other->where, waits);
  const bool of_group = stuck->call.of_group;
  found.message = "The block can never go on: " + std::to_string(at_primitive) + " of " +
                  std::to_string(block_.threads) + " threads wait " +
                  (of_group ? "here for threads of their tile or coalesced group that do not come ("
                            : "at a warp primitive for lanes named in its mask that do not come (") +
                  std::to_string(at_barrier) + " wait at a block barrier, " + std::to_string(exited) +
                  " have returned). " +
                  (of_group ? "All threads of a group must make each of the group's calls, sync(), shuffles, votes and "
                              "reductions: move the call out of the branch, or make a group of the threads that come "
                              "with coalesced_threads() or binary_partition()."
                            : "Every lane named in the mask must call the same primitive with the same mask.");
  launch_->findings->add(std::move(found), 0);
}

std::string worker::element_at(address a, std::uint32_t width) const {
  if (const auto offset = layout_.shared_offset(a))
    return element_text(launch_->map->find_shared(*offset), memory_space::shared, *offset, width);
  return element_text(launch_->map->find(a), memory_space::global, a, width);
}

void worker::describe_waiting(std::vector<waiting_threads>& all) const {
  const std::size_t first_of_block = all.size();
  for (std::uint32_t i = 0; i < block_.threads; ++i) {
    const lane& l = lanes_[i];
    const lane_state s = state_of(i);
    if (s == lane_state::exited) continue;
    const bool looks = s <= lane_state::spinning, at_grid = looks && grid_target_ != 0;
    if (grid_target_ != 0 && !at_grid) continue;  // behind the one that speaks for the block
    const auto same =
        std::find_if(all.begin() + static_cast<std::ptrdiff_t>(first_of_block), all.end(),
                     [&](const waiting_threads& w) { return w.place.where == l.where && w.looks == looks; });
    if (same != all.end()) {
      ++same->threads;
      continue;
    }
    all.push_back({place_of(l, l.where,
                            at_grid ? "waits at the grid's barrier"
                            : looks ? "looks in vain at " + element_at(l.looks_at, l.looks_at_width)
                            : s == lane_state::at_barrier ? "waits at a block barrier"
                                                          : "waits at a warp primitive"),
                   at_grid ? block_.threads : 1, looks, at_grid});
  }
}

void worker::note_stopped(std::uint32_t warp) {
  if (!traced_ || stopped_lane_.known) return;
  const site where = log_.last_site(running_lane_);
  if (where != 0) stopped_lane_ = {true, warp * warp_size + running_lane_, where, log_.repeated_sites(running_lane_)};
}

void worker::describe_standing(std::vector<standing_warps>& all) const {
  for (std::uint32_t warp = 0; warp < warps(); ++warp) {
    const lane_states& states = states_[warp];
    const auto stand = [&](const char* how, std::uint32_t thread, site where) {
      const bool runs = stopped_lane_.known && thread == stopped_lane_.thread;
      add_standing(
          all, {warp, warp, how, place_of(lanes_[thread], where, ""), runs ? stopped_lane_.loop : std::vector<site>{}});
    };
    const auto first_in = [&](lane_state s) {
      return warp * warp_size + static_cast<std::uint32_t>(std::countr_zero(states.in(s)));
    };
    if (stopped_lane_.known && stopped_lane_.thread / warp_size == warp) {
      stand("runs", stopped_lane_.thread, stopped_lane_.where);
    } else if (states.in(lane_state::spinning) != 0) {
      const std::uint32_t thread = first_in(lane_state::spinning);
      stand("looks for a value in vain", thread, lanes_[thread].where);
    } else if (states.in(lane_state::at_primitive) != 0) {
      const std::uint32_t thread = first_in(lane_state::at_primitive);
      stand("waits at a warp primitive", thread, lanes_[thread].where);
    } else if (states.in(lane_state::at_barrier) != 0) {
      const std::uint32_t thread = first_in(lane_state::at_barrier);
      stand("waits at a block barrier", thread, lanes_[thread].where);
    } else if (states.may_run() == 0) {
      stand("has returned", warp * warp_size, 0);
    } else {
      stand("has its turn to come", warp * warp_size, 0);
    }
  }
}

}  // namespace simtlab::emulator

#include "sass/warp.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sass/block_context.h"

namespace simtlab::emulator::sass {

void warp::begin(block_context& of, std::uint32_t its_number, lane_mask lanes, std::uint32_t at) {
  const unsigned known = of.of.kernel().registers;
  const std::size_t used = known == 0 ? zero_row : std::min<std::size_t>(known, zero_row);
  std::memset(static_cast<void*>(registers.data()), 0, used * sizeof(lane_row));
  registers[zero_row] = registers[sink_row] = {};
  predicates.fill(0);
  uniform_predicates.fill(0);
  predicates[true_predicate] = uniform_predicates[true_predicate] = full_warp;
  uniforms.fill(0);
  for (auto& row : participants) row.fill(0);
  on = 0;
  on_row = {};
  block = &of;
  number = its_number;
  alive = lanes;
  groups_.clear();
  groups_.reserve(warp_size);
  groups_.push_back({lanes, at});
  running_ = -1;
  active = 0;
  select();
}

void warp::park() {
  if (running_ >= 0) groups_[static_cast<std::size_t>(running_)].pc = pc;
}

bool warp::select() {
  park();
  running_ = -1;
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (groups_[i].state == group_state::runs &&
        (running_ < 0 || groups_[i].pc < groups_[static_cast<std::size_t>(running_)].pc))
      running_ = static_cast<int>(i);
  if (running_ < 0) {
    const lane_group* lowest = nullptr;
    for (const lane_group& g : groups_)
      if (g.state == group_state::yielded && (lowest == nullptr || g.pc < lowest->pc)) lowest = &g;
    if (lowest != nullptr) {
      const std::uint32_t at = lowest->pc;
      lane_mask lanes = 0;
      for (const lane_group& g : groups_)
        if (g.state == group_state::yielded && g.pc == at) lanes |= g.lanes;
      join(lanes, group_state::yielded, 0, at);
      return select();
    }
    active = 0;
    return false;
  }
  const lane_group& g = groups_[static_cast<std::size_t>(running_)];
  active = g.lanes;
  pc = g.pc;
  return true;
}

void warp::drop_empty_groups() {
  std::erase_if(groups_, [](const lane_group& g) { return g.lanes == 0; });
}

/// Takes `lanes` out of the groups in this state and makes one group of them that runs.
void warp::join(lane_mask lanes, group_state state, unsigned barrier, std::uint32_t at) {
  park();
  running_ = -1;
  for (lane_group& g : groups_)
    if (g.state == state && g.barrier == barrier) g.lanes &= ~lanes;
  drop_empty_groups();
  groups_.push_back({lanes, at});
}

void warp::branch(lane_mask taken, std::uint32_t target) {
  if (taken == active) {
    pc = target;
    return;
  }
  if (taken == 0) return;
  groups_[static_cast<std::size_t>(running_)].lanes &= ~taken;
  groups_.push_back({taken, target});
  select();
}

void warp::branch_each(lane_mask taken, const std::uint32_t (&targets)[warp_size]) {
  groups_[static_cast<std::size_t>(running_)].lanes &= ~taken;
  while (taken != 0) {
    const std::uint32_t target = targets[std::countr_zero(taken)];
    lane_mask same = 0;
    for (lane_mask rest = taken; rest != 0; rest &= rest - 1)
      if (targets[std::countr_zero(rest)] == target) same |= rest & -rest;
    groups_.push_back({same, target});
    taken &= ~same;
  }
  park();
  running_ = -1;
  drop_empty_groups();
  select();
}

void warp::wait(const lane_group& waiting) {
  lane_group& g = groups_[static_cast<std::size_t>(running_)];
  g.lanes &= ~waiting.lanes;
  g.pc = pc;
  running_ = -1;
  groups_.push_back(waiting);
  drop_empty_groups();
  release();
  select();
}

void warp::open_convergence(unsigned barrier, std::uint32_t at) {
  lane_mask with = on;
  for (const lane_group& g : groups_)
    for (lane_mask rest = g.was_passed ? g.lanes : 0; rest != 0; rest &= rest - 1)
      if (const auto l = static_cast<std::size_t>(std::countr_zero(rest)); opened_at[barrier][l] == at)
        with |= (rest & -rest) | participants[barrier][l];
  for (unsigned l = 0; l < warp_size; ++l)
    if ((with >> l & 1) != 0) participants[barrier][l] = with, opened_at[barrier][l] = at;
}

void warp::converge(unsigned barrier) {
  lane_row needed;
  for (unsigned l = 0; l < warp_size; ++l) needed.lane[l] = participants[barrier][l] & alive;
  const lane_mask of_the_first = needed.lane[std::countr_zero(on)];
  lane_mask same = 0;
  for (unsigned l = 0; l < warp_size; ++l) same |= static_cast<lane_mask>(needed.lane[l] == of_the_first) << l;
  if ((on & ~same) != 0)  // groups that met at a YIELD run as one, and each waits for its own lanes
    return wait_apart(needed.lane, group_state::at_convergence, barrier, 0);
  if ((of_the_first & ~on) == 0 && on == active) return;
  wait({on, pc, group_state::at_convergence, static_cast<std::uint8_t>(barrier)});
}

void warp::leave_convergence(unsigned barrier) {
  auto& of = participants[barrier];
  for (lane_mask rest = on; rest != 0; rest &= rest - 1) {
    const lane_mask with = of[static_cast<std::size_t>(std::countr_zero(rest))];
    for (lane_mask others = with & ~on; others != 0; others &= others - 1)
      of[static_cast<std::size_t>(std::countr_zero(others))] &= ~on;
  }
  park();
  running_ = -1;
  release();
  select();
}

void warp::synchronise(lane_mask awaited, std::uint32_t at) {
  awaited &= alive;
  if ((awaited & ~on) == 0) return;
  wait({on, pc, group_state::at_warp_sync, 0, awaited, 0, at});
}

void warp::wait_apart(const std::uint32_t* masks, group_state state, unsigned barrier, std::uint32_t at) {
  lane_group& g = groups_[static_cast<std::size_t>(running_)];
  g.lanes &= ~on;
  g.pc = pc;
  running_ = -1;
  for (lane_mask rest = on; rest != 0;) {
    const lane_mask mask = masks[std::countr_zero(rest)];
    lane_mask same = 0;
    for (lane_mask others = rest; others != 0; others &= others - 1)
      if (masks[std::countr_zero(others)] == mask) same |= others & -others;
    groups_.push_back({same, pc, state, static_cast<std::uint8_t>(barrier), (mask | same) & alive, 0, at});
    rest &= ~same;
  }
  drop_empty_groups();
  release();
  select();
}

void warp::yield() {
  if (active == alive) return;
  wait({active, pc, group_state::yielded});
}

void warp::end_lanes(lane_mask lanes) {
  alive &= ~lanes;
  groups_[static_cast<std::size_t>(running_)].lanes &= ~lanes;
  park();
  running_ = -1;
  drop_empty_groups();
  release();
  select();
}

void warp::wait_at_barrier(unsigned barrier, std::uint32_t threads, std::uint32_t at) {
  wait({on, pc, group_state::at_barrier, static_cast<std::uint8_t>(barrier), 0, threads, at});
}

void warp::rotate() {
  if (!has_others()) return;
  const int left = running_;
  park();
  const auto n = static_cast<int>(groups_.size());
  for (int step = 1; step < n; ++step) {
    const int i = (left + step) % n;
    const lane_group& g = groups_[static_cast<std::size_t>(i)];
    if (g.state != group_state::runs) continue;
    running_ = i, active = g.lanes, pc = g.pc;
    return;
  }
}

bool warp::release_convergence(const lane_group& waiting) {
  const lane_mask needed =
      participants[waiting.barrier][static_cast<std::size_t>(std::countr_zero(waiting.lanes))] & alive;
  lane_mask come = 0, fresh = 0, stale = 0;
  for (const lane_group& g : groups_) {
    // A function that was called may use the same barrier for others of these lanes, and wait at it meanwhile.
    if (g.state == group_state::at_convergence && g.barrier == waiting.barrier)
      for (lane_mask rest = g.lanes; rest != 0; rest &= rest - 1)
        if ((participants[g.barrier][static_cast<std::size_t>(std::countr_zero(rest))] & alive) == needed)
          come |= rest & -rest;
    if (g.state == group_state::yielded) (g.was_passed ? stale : fresh) |= g.lanes & needed;
  }
  const lane_mask yielded = fresh != 0 && stale != 0 ? 0 : fresh | stale;  // both wait to go on together
  if ((needed & ~(come | yielded)) != 0) return false;
  const lane_mask together = (needed & come) | waiting.lanes;
  for (lane_mask left = needed & ~together; left != 0; left &= left - 1)  // will not wait for these
    participants[waiting.barrier][static_cast<std::size_t>(std::countr_zero(left))] &= ~together;
  for (lane_group& g : groups_) g.was_passed |= g.state == group_state::yielded && (g.lanes & needed) != 0;
  join(together, group_state::at_convergence, waiting.barrier, waiting.pc);
  return true;
}

bool warp::release_warp_sync(const lane_group& waiting) {
  const lane_mask needed = waiting.awaited & alive;
  lane_mask come = 0;
  for (const lane_group& g : groups_)
    if (g.state == group_state::at_warp_sync && g.pc == waiting.pc) come |= g.lanes;
  if ((needed & ~come) != 0) return false;
  join(needed, group_state::at_warp_sync, 0, waiting.pc);
  return true;
}

void warp::release() {
  for (bool again = true; again;) {
    again = false;
    for (const lane_group& g : groups_) {
      const lane_group waiting = g;
      again = (waiting.state == group_state::at_convergence && release_convergence(waiting)) ||
              (waiting.state == group_state::at_warp_sync && release_warp_sync(waiting));
      if (again) break;
    }
  }
}

void warp::release_barrier(unsigned barrier) {
  for (;;) {
    lane_mask lanes = 0;
    std::uint32_t at = 0;
    for (const lane_group& g : groups_)
      if (g.state == group_state::at_barrier && g.barrier == barrier && (lanes == 0 || g.pc == at)) {
        at = g.pc;
        lanes |= g.lanes;
      }
    if (lanes == 0) break;
    join(lanes, group_state::at_barrier, barrier, at);
  }
  if (running_ < 0) select();
}

}  // namespace simtlab::emulator::sass

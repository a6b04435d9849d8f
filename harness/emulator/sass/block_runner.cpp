#include "sass/block_runner.h"

#include <algorithm>
#include <bit>
#include <map>
#include <new>

#include "sass/block_context.h"

namespace simtlab::emulator::sass {
namespace {

/// Warp instructions after which a group that others wait beside gives way, so that lanes may wait for one another.
constexpr std::uint64_t turn_of_a_group = 2000;
/// The same of a warp, beside others of its block.
constexpr std::uint64_t turn_of_a_warp = 20000;

}  // namespace

struct block_runner::state {
  state(const launch& l, surroundings& s, std::span<observer* const> observers, const launch_info& i)
      : context(l, s, observers), info(i), warps(l.warps()), busy_since(l.warps()), has_worked(l.warps()) {
    const std::uint64_t stride = rounded_up(l.local_bytes() + lane_stacks::unused_at_top(31), 64);
    context.local.reset(static_cast<std::byte*>(std::calloc(stride * l.threads() + 64, 1)));
    if (context.local == nullptr) throw std::bad_alloc();
    context.stacks = {rounded_up(reinterpret_cast<address>(context.local.get()), 64), stride, l.threads()};
    context.barrier_votes.resize(l.warps());
    context.arrived.resize(l.warps());
    context.thread_coordinates.resize(std::size_t{3} * l.warps());
    for (std::uint32_t t = 0; t < l.threads(); ++t) {
      const coordinates c = coordinates_of(t, l.block());
      lane_row* const rows = &context.thread_coordinates[std::size_t{3} * (t / warp_size)];
      rows[0].lane[t % warp_size] = c.x;
      rows[1].lane[t % warp_size] = c.y;
      rows[2].lane[t % warp_size] = c.z;
    }
  }

  /// Runs the warp until it waits, ends, or has had its turn; how many instructions that were.
  std::uint64_t run(warp& w, std::uint64_t most);
  void call_missing(warp&);
  /// Releases each barrier that all have reached; whether one was.
  bool release_barriers();
  bool release_barrier(unsigned number);
  void tell_barrier(unsigned number);
  [[noreturn]] void fail_deadlock();

  block_context context;
  const launch_info& info;
  std::vector<warp> warps;
  std::vector<std::uint64_t> busy_since;  ///< requests of the warp since its last barrier
  std::vector<bool> has_worked;
};

namespace {

std::span<std::byte> reached(const device_call& c, address generic) {
  auto& block = *static_cast<block_context*>(const_cast<void*>(c.block));  // NOLINT: the runner's own
  const auto offset = static_cast<std::uint32_t>(generic);
  if (generic >> 32 == shared_window)
    return offset < block.shared.size() ? std::span(block.shared).subspan(offset) : std::span<std::byte>{};
  if (generic >> 32 == local_window) {
    if (offset >= block.of.local_bytes()) return {};
    return {reinterpret_cast<std::byte*>(block.local_address(c.thread, offset)), block.of.local_bytes() - offset};
  }
  const address_range r = block.around.reachable(generic);
  if (!r.contains(generic)) return {};
  return {reinterpret_cast<std::byte*>(generic), r.end - generic};
}

}  // namespace

/// The running group stands at a function that the cubin has not: each lane calls it, and returns to R20 (the ABI's return address).
void block_runner::state::call_missing(warp& w) {
  constexpr unsigned first_argument = 4, return_address = 20;
  const std::size_t which = w.pc - context.of.code().code().size();
  const std::string& name = context.of.code().missing_functions()[which];
  std::uint32_t targets[warp_size] = {};
  for (lane_mask rest = w.active; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    targets[l] = w.registers[return_address].lane[l] / instruction_bytes;
    device_call c{.name = name,
                  .thread = w.number * warp_size + l,
                  .block_index = context.index,
                  .launch = &info,
                  .reach = reached,
                  .block = &context};
    c.where = context.of.site_of(targets[l] == 0 ? 0 : targets[l] - 1);
    for (unsigned k = 0; k < c.registers.size(); ++k) c.registers[k] = w.registers[first_argument + k].lane[l];
    const std::uint64_t result = context.around.call(c);
    if (name == "free") {
      std::array<address, warp_size> begins{};
      begins[l] = c.registers[0] | address{c.registers[1]} << 32;
      context.requests.frees({w.number, lane_mask{1} << l, begins.data()});
    }
    w.registers[first_argument].lane[l] = static_cast<std::uint32_t>(result);
    w.registers[first_argument + 1].lane[l] = static_cast<std::uint32_t>(result >> 32);
  }
  w.on = w.active;
  w.branch_each(w.active, targets);
}

std::uint64_t block_runner::state::run(warp& w, std::uint64_t most) {
  const std::vector<instruction>& code = context.of.code().code();
  const instruction* const instructions = code.data();
  const std::size_t end = code.size();
  const std::uint64_t before = context.requests.requests();
  const std::uint64_t begin = context.clock;
  std::uint64_t lanes = 0;
  context.end_of_turn = begin + turn_of_a_group;
  context.looks_in_vain = false;
  lane_mask counted = 0;
  unsigned counted_lanes = 0;
  while (w.active != 0 && context.clock - begin < most) {
    if (w.pc >= end) {
      call_missing(w);
      continue;
    }
    const instruction& i = instructions[w.pc++];
    if (i.begins_block) [[unlikely]]
      context.requests.step({context.of.site_of(i.number), w.number, w.active, w.alive});
    lane_mask on = w.active;
    if (i.guard.index != true_predicate || i.guard.is_negated) {  // @!PT: nobody
      const lane_mask guard =
          i.guard.kind == operand_kind::predicate ? w.predicates[i.guard.index] : w.uniform_predicates[i.guard.index];
      on &= i.guard.is_negated ? ~guard : guard;
    }
    if (w.active != counted) counted = w.active, counted_lanes = static_cast<unsigned>(std::popcount(w.active));
    lanes += counted_lanes;
    ++context.clock;
    if (on != 0) {
      if (on != w.on) w.put_on(on);
      i.run(w, i);
    }
    // Within a basic block uniform registers are the group's own.
    if (context.clock >= context.end_of_turn && w.pc < end && instructions[w.pc].begins_block) [[unlikely]] {
      context.end_of_turn = context.clock + turn_of_a_group;
      w.rotate();
      if (context.looks_in_vain) break;
    }
  }
  const std::uint64_t made = context.requests.requests() - before;
  busy_since[w.number] += made;
  if (made != 0 && !has_worked[w.number]) {
    has_worked[w.number] = true;
    context.requests.note_working_warp();
  }
  context.requests.note_warp(busy_since[w.number]);
  context.requests.note_instructions(context.clock - begin, lanes);
  return context.clock - begin;
}

void block_runner::state::tell_barrier(unsigned number) {
  barrier_event e;
  e.threads = context.of.threads();
  // For a warp whose lanes have come apart (BRA.DIV) nvcc copies a barrier, with its number in a register.
  const auto& code = context.of.code().code();
  const auto is_copy = [&](std::uint32_t at) { return code[at].operands[0].kind == operand_kind::reg; };
  std::map<std::uint32_t, barrier_arrival> arrivals;
  bool has_exited = false;
  for (const warp& w : warps) {
    const lane_mask gone = context.lanes_of(w.number) & ~w.alive;
    if (gone != 0 && !has_exited) {
      has_exited = true;
      e.first_exited = w.number * warp_size + static_cast<unsigned>(std::countr_zero(gone));
    }
    e.exited += static_cast<unsigned>(std::popcount(gone));
    for (const lane_group& g : w.groups()) {
      if (g.state != group_state::at_barrier || g.barrier != number) continue;
      const auto same = std::ranges::find_if(
          arrivals, [&](const auto& other) { return is_copy(other.first) || is_copy(g.waits_at); });
      barrier_arrival& a = same == arrivals.end() ? arrivals[g.waits_at] : same->second;
      const std::uint32_t first = w.number * warp_size + static_cast<unsigned>(std::countr_zero(g.lanes));
      a.first_thread = a.threads == 0 ? first : std::min(a.first_thread, first);
      a.threads += static_cast<unsigned>(std::popcount(g.lanes));
    }
  }
  for (auto& [number_of_bar, a] : arrivals) {
    a.where = context.of.site_of(number_of_bar);
    e.arrivals.push_back(a);
  }
  context.requests.barrier(e);
}

bool block_runner::state::release_barrier(unsigned number) {
  std::uint32_t waiting = 0, wanted = 0, alive = 0, whole_warps = 0;
  for (const warp& w : warps) {
    alive += static_cast<unsigned>(std::popcount(w.alive));
    lane_mask here = context.arrived[w.number][number];
    for (const lane_group& g : w.groups()) {
      if (g.state != group_state::at_barrier || g.barrier != number) continue;
      here |= g.lanes;
      waiting += static_cast<unsigned>(std::popcount(g.lanes));
      wanted = std::max(wanted, g.threads);
    }
    if (here != 0 && (w.alive & ~here) == 0) ++whole_warps;  // a barrier counts warps
  }
  if (waiting == 0) return false;
  if (wanted == 0 ? waiting < alive : whole_warps * warp_size < std::min(wanted, alive)) return false;
  tell_barrier(number);
  std::uint32_t votes = 0, voters = 0;
  for (const warp& w : warps) {
    votes += static_cast<unsigned>(std::popcount(context.barrier_votes[w.number][number] & w.alive));
    voters += static_cast<unsigned>(std::popcount(w.alive));
  }
  for (const warp& w : warps)
    for (const lane_group& g : w.groups())
      if (g.state == group_state::at_barrier && g.barrier == number) {
        const instruction& at = context.of.code().code()[g.waits_at];
        if (!at.has("RED"_m)) continue;
        context.barrier_results[0] = at.has("POPC"_m) ? votes : at.has("AND"_m) ? votes == voters : votes != 0;
      }
  for (warp& w : warps) {
    context.barrier_votes[w.number][number] = 0;
    context.arrived[w.number][number] = 0;
    w.release_barrier(number);
    busy_since[w.number] = 0;
  }
  return true;
}

bool block_runner::state::release_barriers() {
  bool any = false;
  for (unsigned number = 0; number < 16; ++number) any |= release_barrier(number);
  return any;
}

void block_runner::state::fail_deadlock() {
  std::uint32_t waiting = 0, first = 0, number = 0;
  bool in_warp = false;
  std::string at;
  for (const warp& w : warps)
    for (const lane_group& g : w.groups()) {
      if (g.lanes == 0) continue;
      const bool is_of_warp = g.state == group_state::at_warp_sync;
      const std::uint32_t thread = w.number * warp_size + static_cast<unsigned>(std::countr_zero(g.lanes));
      if (waiting == 0 || is_of_warp > in_warp || (is_of_warp == in_warp && thread < first)) {
        in_warp = is_of_warp;
        first = thread;
        number = is_of_warp || g.state == group_state::at_barrier ? g.waits_at : g.pc - 1;
        at = context.instruction_text(context.of.code().code()[number]);
      }
      waiting += static_cast<unsigned>(std::popcount(g.lanes));
    }
  throw machine_fault(in_warp ? machine_fault::reason::warp : machine_fault::reason::deadlock,
                      context.of.site_of(number),
                      std::to_string(waiting) + " threads of block " + std::to_string(context.index) +
                          " wait for others that never come; the first at " + at,
                      first);
}

block_runner::block_runner(const launch& l, surroundings& s, std::span<observer* const> observers,
                           const launch_info& info)
    : state_(std::make_unique<state>(l, s, observers, info)) {}
block_runner::~block_runner() = default;

void block_runner::run(coordinates block, std::uint64_t index) {
  begin(block, index);
  while (!advance(~std::uint64_t{0})) {
  }
}

void block_runner::begin(coordinates where, std::uint64_t index) {
  block_context& c = state_->context;
  c.where = where;
  c.index = index;
  c.follower = c.around.follower();
  c.shared.assign(c.of.shared_bytes(), std::byte{0});
  for (auto& votes : c.barrier_votes) votes.fill(0);
  for (auto& arrived : c.arrived) arrived.fill(0);
  c.requests.block_begins({&state_->info, index, where, c.of.threads(), c.stacks});
  state_->busy_since.assign(c.of.warps(), 0);
  state_->has_worked.assign(c.of.warps(), false);
  for (std::uint32_t w = 0; w < c.of.warps(); ++w)
    state_->warps[w].begin(c, w, c.lanes_of(w), c.of.kernel().first_place);
}

bool block_runner::advance(std::uint64_t most) {
  block_context& c = state_->context;
  std::vector<warp>& warps = state_->warps;
  while (most > 0) {
    std::uint64_t done = 0;
    bool runs = false, is_alive = false, only_looks = true;
    for (warp& w : warps) {
      const std::uint64_t ran =
          state_->run(w, std::min(most, warps.size() > 1 || w.has_others() ? turn_of_a_warp : most));
      only_looks &= ran == 0 || c.looks_in_vain;
      done += ran;
      runs |= w.active != 0;
      is_alive |= w.alive != 0;
    }
    if (!is_alive) {
      c.requests.block_ends();
      return true;
    }
    const bool were_released = state_->release_barriers();
    if (!were_released && !runs && done == 0) state_->fail_deadlock();
    most -= std::min(most, done);
    c.only_looked = only_looks && done != 0 && !were_released;
    if (c.only_looked) break;
  }
  return false;
}

std::pair<site, std::uint32_t> block_runner::standing() const {
  const block_context& c = state_->context;
  for (warp& w : state_->warps) {
    w.park();
    for (const lane_group& g : w.groups())
      if (g.lanes != 0 && g.state == group_state::runs && g.pc < c.of.code().code().size())
        return {c.of.site_of(g.pc), w.number * warp_size + static_cast<unsigned>(std::countr_zero(g.lanes))};
  }
  return {0, 0};
}

bool block_runner::only_looked() const { return state_->context.only_looked; }
std::uint64_t block_runner::clock() const { return state_->context.clock; }

void block_runner::settle() { state_->context.requests.settle(); }

}  // namespace simtlab::emulator::sass

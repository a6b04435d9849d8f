// Branches, calls, convergence, barriers, and what has no effect here: scoreboards, and but for who follows them fences (memory is coherent, in order).

#include "sass/handlers/lanes.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

void nop(warp&, const instruction&) {}

/// A NOP among instructions is what nvcc leaves of a __syncwarp() where the warp is together: it orders the lanes' accesses still. Others
/// stand behind a function's end, where nobody comes.
void meet(warp& w, const instruction& i) {
  warp_primitive_event e;
  e.where = w.block->of.site_of(i.number);
  e.warp = w.number;
  e.mask = e.arrived = w.on;
  if (w.block->follower != nullptr) w.block->follower->passes_nop(e.where, e.warp, w.on);
  w.block->requests.primitive(e);
}

/// BRA: a further predicate decides with the guard; with .DIV, that lanes of a mask (of the warp, where none is named) are not all there;
/// with .CONV, that they are.
void bra(warp& w, const instruction& i) {
  lane_mask taken = w.on;
  if (i.has("DIV"_m) || i.has("CONV"_m)) {
    lane_row s;
    const lane_mask expected = i.count > 0 ? raw(w, i.operands[0], s)[lowest_lane(w.active)] : full_warp;
    if (((expected & w.alive) == w.active) == i.has("DIV"_m)) return;
  } else if (i.count > 0) {
    taken &= predicate(w, i.operands[0]);
  }
  w.branch(taken, i.target);
}

/// BRX, RET and CALL to a register: `origin` is the first instruction of the function that relative addresses count from.
void jump(warp& w, const instruction& i, std::uint32_t origin, row a) {
  std::uint32_t targets[warp_size];
  for (unsigned l = 0; l < warp_size; ++l) targets[l] = origin + a[l] / instruction_bytes;
  const auto known =
      static_cast<std::uint32_t>(w.block->of.code().code().size() + w.block->of.code().missing_functions().size());
  for (lane_mask rest = w.on; rest != 0; rest &= rest - 1)
    if (targets[lowest_lane(rest)] >= known || a[lowest_lane(rest)] % instruction_bytes != 0)
      w.block->fail_address(w, i, lowest_lane(rest), a[lowest_lane(rest)], "an instruction");
  const std::uint32_t first = targets[lowest_lane(w.on)];
  const bool together =
      lanes_where([&](unsigned l) { return (w.on >> l & 1) == 0 || targets[l] == first; }) == full_warp;
  if (together) return w.branch(w.on, first);
  w.branch_each(w.on, targets);
}

/// A table's branch: the register and the offset count from the next instruction.
void brx(warp& w, const instruction& i) {
  lane_row s, places;
  const row a = raw(w, i.operands[0], s);
  const std::uint32_t next = (i.number + 1 - i.origin) * instruction_bytes;
  const std::uint32_t offset = i.count > 1 ? static_cast<std::uint32_t>(i.operands[1].value) : 0;
  for (unsigned l = 0; l < warp_size; ++l) places.lane[l] = a[l] + offset + next;
  jump(w, i, i.origin, places.lane);
}

void ret(warp& w, const instruction& i) {
  lane_row s;
  jump(w, i, i.has("REL"_m) ? i.origin : 0, raw(w, i.operands[0], s));
}

/// Where one kernel alone calls by pointers, these are the functions' places themselves and no offsets in c[0x2].
void call(warp& w, const instruction& i) {
  if (i.operands[0].kind != operand_kind::reg) return w.branch(w.on, i.target);
  lane_row s, places;
  row a = raw(w, i.operands[0], s);
  if (!i.has("REL"_m)) return jump(w, i, 0, a);
  const std::uint32_t end = w.block->of.kernel().instructions * instruction_bytes;
  if ((w.on & lanes_where([&](unsigned l) { return a[l] >= end; })) != 0) {
    for (unsigned l = 0; l < warp_size; ++l)
      places.lane[l] = (w.on >> l & 1) == 0 || a[l] < end ? a[l] : w.block->around.place_of_function(a[l]);
    a = places.lane;
  }
  jump(w, i, i.origin, a);
}

void bssy(warp& w, const instruction& i) { w.open_convergence(i.operands[0].index, i.number); }

void bsync(warp& w, const instruction& i) { w.converge(i.operands[0].index); }
void break_convergence(warp& w, const instruction& i) { w.leave_convergence(i.operands[0].index); }

/// Between a convergence barrier and a register: the lanes that it waits for.
void bmov(warp& w, const instruction& i) {
  if (i.operands[0].kind == operand_kind::barrier) {
    lane_row s;
    const row a = raw(w, i.operands[1], s);
    auto& of = w.participants[i.operands[0].index];
    for (lane_mask rest = w.on; rest != 0; rest &= rest - 1) of[lowest_lane(rest)] = a[lowest_lane(rest)];
    return;
  }
  auto& of = w.participants[i.operands[1].index];
  set(w, i.operands[0], [&](unsigned l) { return of[l]; });
  if (i.has("CLEAR"_m))
    for (lane_mask rest = w.on; rest != 0; rest &= rest - 1) of[lowest_lane(rest)] = 0;
}

/// With .COLLECTIVE they run what stands up to ENDCOLLECTIVE together once all are there; its target stands behind that. Lanes may name different ones: parts of the warp that work apart. Behind
/// .EXCLUSIVE each part goes on by itself, because what follows is the part's alone (a REDUX), up to where all meet.
void warpsync(warp& w, const instruction& i) {
  lane_row s;
  const row masks = i.has("ALL"_m) ? filled(s, full_warp) : raw(w, i.operands[0], s);
  warp_primitive_event e;
  e.where = w.block->of.site_of(i.number);
  e.warp = w.number;
  e.exited = w.block->lanes_of(w.number) & ~w.alive;
  lane_mask awaited = 0;
  for (lane_mask rest = w.on; rest != 0; rest &= ~e.arrived) {
    const lane_mask mask = masks[lowest_lane(rest)];
    awaited |= mask;
    e.mask = mask & w.block->lanes_of(w.number);
    e.arrived = rest & lanes_where([&](unsigned l) { return masks[l] == mask; });
    w.block->requests.primitive(e);
  }
  if (i.has("EXCLUSIVE"_m)) return w.wait_apart(masks, group_state::at_warp_sync, 0, i.number);
  w.synchronise(awaited, i.number);
}

void yield(warp& w, const instruction&) { w.yield(); }
void nanosleep(warp& w, const instruction&) { w.rotate(); }
void exit(warp& w, const instruction&) { w.end_lanes(w.on); }

void bpt(warp& w, const instruction& i) {
  throw machine_fault(machine_fault::reason::trap, w.block->of.site_of(i.number),
                      w.block->instruction_text(i) + ": the kernel stops itself",
                      w.number * warp_size + lowest_lane(w.on));
}

/// Operands: the barrier's number, how many threads, and with .RED a predicate.
void bar(warp& w, const instruction& i) {
  lane_row s[2];
  const unsigned lane = lowest_lane(w.on);
  const std::uint32_t number = raw(w, i.operands[0], s[0])[lane] & 15;
  std::uint32_t threads = 0;
  if (i.count > 1 && !is_predicate(i.operands[1])) threads = raw(w, i.operands[1], s[1])[lane];
  if (i.has("RED"_m)) {
    lane_mask& votes = w.block->barrier_votes[w.number][number];
    votes = (votes & ~w.on) | (predicate(w, i.operands[i.count - 1U]) & w.on);
  }
  if (i.has("ARV"_m)) return w.block->arrive(w, number, threads);
  w.wait_at_barrier(number, threads, i.number);
}

/// A cluster is one block here (launcher.cpp refuses others), and all its threads arrive before any goes on from its wait.
void cluster_wait(warp& w, const instruction& i) { w.wait_at_barrier(15, 0, i.number); }

/// The address behind the label; its own, where there is none.
void lepc(warp& w, const instruction& i) {
  const std::uint64_t at = std::uint64_t{i.target != 0 ? i.target : i.number} * instruction_bytes;
  set_wide(w, i.operands[0], [&](unsigned) { return at; });
}

/// What comes behind the fence waits for what stands before it.
void membar(warp& w, const instruction& i) {
  if (w.block->follower != nullptr)
    w.block->follower->fence(w.block->of.site_of(i.number), w.number, w.on, i.has("CTA"_m));
}
/// Forgets what is in the cache: what an acquiring operation leaves of its fence.
void cctl(warp& w, const instruction& i) {
  if (i.has("IVALL"_m)) membar(w, i);
}

constexpr opcode_rule control_rules[] = {
    {"NOP", meet, ""},
    {"BRA", bra, "DIV CONV U"},
    {"BRX", brx, ""},
    {"BRXU", brx, ""},
    {"JMP", bra, ""},
    {"CALL", call, "REL ABS NOINC"},
    {"RET", ret, "REL ABS NODEC"},
    {"BSSY", bssy, ""},
    {"BSYNC", bsync, ""},
    {"BREAK", break_convergence, ""},
    {"BMOV", bmov, "32 CLEAR"},
    {"WARPSYNC", warpsync, "ALL COLLECTIVE EXCLUSIVE"},
    {"ENDCOLLECTIVE", nop, ""},
    {"YIELD", yield, ""},
    {"NANOSLEEP", nanosleep, "WARP"},
    {"EXIT", exit, ""},
    {"BPT", bpt, "TRAP"},
    {"BAR", bar, "SYNC RED ARV DEFER_BLOCKING POPC AND OR"},
    {"UCGABAR_ARV", nop, "", number_format::integer, true},
    {"UCGABAR_WAIT", cluster_wait, "", number_format::integer, true},
    {"LEPC", lepc, ""},
    {"MEMBAR", membar, "ALL SC GPU SYS CTA"},
    {"ERRBAR", nop, ""},
    {"CGAERRBAR", nop, ""},
    {"CCTL", cctl, "IVALL E PF2 PF1"},
    {"DEPBAR", nop, "LE"},
    {"LDGDEPBAR", nop, ""},
    {"FENCE", nop, "VIEW ASYNC S"},
    {"ACQBULK", nop, ""},  // griddepcontrol: launches follow one another here
    {"PREEXIT", nop, ""},
};

}  // namespace

std::span<const opcode_rule> control_opcodes() { return control_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

// What lanes tell one another: votes, shuffles, matches, reductions, uniform registers from vector registers; and what a lane may ask of
// itself: special registers.

#include "sass/handlers/lanes.h"
#include "sass/handlers/special_registers.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

warp_primitive_event event_of(const warp& w, const instruction& i, warp_operation what) {
  warp_primitive_event e;
  e.where = w.block->of.site_of(i.number);
  e.operation = what;
  e.warp = w.number;
  e.mask = e.arrived = w.on;
  e.exited = w.block->lanes_of(w.number) & ~w.alive;
  return e;
}

void vote(warp& w, const instruction& i) {
  const operand& asked = i.operands[i.count - 1U];
  const lane_mask voters = w.active, yes = predicate(w, asked) & voters;
  const bool any = yes != 0, all = yes == voters;
  const lane_mask answer = (i.has("ANY"_m) ? any : i.has("ALL"_m) ? all : all || !any) ? full_warp : 0;
  for (unsigned k = 0; k + 1U < i.count; ++k) {
    const operand& o = i.operands[k];
    if (is_predicate(o))
      set_predicate(w, o, answer);
    else
      set(w, o, [&](unsigned) { return yes; });
  }
  w.block->requests.primitive(event_of(w, i, warp_operation::vote));
}

/// The third operand's low five bits are the last lane of a segment, bits 8 to 12 the segment's mask (PTX ISA, shfl.sync).
void shfl(warp& w, const instruction& i) {
  lane_row s[3], result;
  const row a = integers(w, i.operands[2], s[0]), b = integers(w, i.operands[3], s[1]),
            c = integers(w, i.operands[4], s[2]);
  warp_primitive_event e = event_of(w, i, warp_operation::shuffle);
  lane_mask in_range = 0;
  const bool up = i.has("UP"_m), down = i.has("DOWN"_m), butterfly = i.has("BFLY"_m);
  for (unsigned l = 0; l < warp_size; ++l) {
    const unsigned clamp = c[l] & 31, segment = c[l] >> 8 & 31, by = b[l] & 31;
    const int last = static_cast<int>((l & segment) | (clamp & ~segment & 31));
    const unsigned wanted = up ? l - by : down ? l + by : butterfly ? l ^ by : (l & segment) | (by & ~segment & 31);
    int from = static_cast<int>(wanted);
    const bool inside = up ? from >= last : from <= last;
    if (!inside) from = static_cast<int>(l);
    in_range |= static_cast<lane_mask>(inside) << l;
    result.lane[l] = a[from & 31];
    e.source[l] = static_cast<std::uint8_t>(from & 31);
  }
  set(w, i.operands[1], [&](unsigned l) { return result.lane[l]; });
  set_predicate(w, i.operands[0], in_range);
  w.block->requests.primitive(e);
}

void match(warp& w, const instruction& i) {
  const operand& asked = i.operands[i.count - 1U];
  lane_row s[2], same;
  const bool is_long = i.has("U64"_m);
  const row a = integers(w, asked, s[0]), high = is_long ? integers(w, asked, s[1], 1) : a;
  lane_mask all = w.on;
  for (unsigned l = 0; l < warp_size; ++l) {
    same.lane[l] = 0;
    if ((w.on >> l & 1) == 0) continue;
    for (lane_mask rest = w.on; rest != 0; rest &= rest - 1)
      if (const unsigned k = lowest_lane(rest); a[k] == a[l] && high[k] == high[l]) same.lane[l] |= rest & -rest;
    all &= same.lane[l];
  }
  const bool agree = all == w.on;
  for (unsigned k = 0; k + 1U < i.count; ++k) {
    const operand& o = i.operands[k];
    if (is_predicate(o))
      set_predicate(w, o, agree ? full_warp : 0);
    else if (i.has("ALL"_m))
      set(w, o, [&](unsigned) { return agree ? w.on : 0; });
    else
      set(w, o, [&](unsigned l) { return same.lane[l]; });
  }
  w.block->requests.primitive(event_of(w, i, warp_operation::match));
}

void redux(warp& w, const instruction& i) {
  lane_row s;
  const row a = integers(w, i.operands[1], s);
  std::uint32_t result = a[lowest_lane(w.on)];
  const bool is_signed = i.has("S32"_m);
  for (lane_mask rest = w.on & (w.on - 1); rest != 0; rest &= rest - 1) {
    const std::uint32_t v = a[lowest_lane(rest)];
    const bool less = is_signed ? as_signed(v) < as_signed(result) : v < result;
    if (i.has("MIN"_m))
      result = less ? v : result;
    else if (i.has("MAX"_m))
      result = less ? result : v;
    else if (i.has("XOR"_m))
      result ^= v;
    else if (i.has("OR"_m))
      result |= v;
    else if (i.has("SUM"_m))
      result += v;
    else  // REDUX alone
      result &= v;
  }
  set(w, i.operands[0], [&](unsigned) { return result; });
  w.block->requests.primitive(event_of(w, i, warp_operation::reduce));
}

/// One of the lanes for which the predicate holds, the same whoever asks: the lowest. Its number, and where it is.
void elect(warp& w, const instruction& i) {
  const lane_mask candidates = w.on & predicate(w, i.operands[2]);
  const unsigned chosen = candidates == 0 ? 0 : lowest_lane(candidates);
  set_predicate(w, i.operands[0], candidates & (0 - candidates));
  set_uniform(w, i.operands[1], chosen);
}

/// Of the lowest lane.
void r2ur(warp& w, const instruction& i) {
  lane_row s;
  set_uniform(w, i.operands[0], integers(w, i.operands[1], s)[lowest_lane(w.on)]);
}

void prepare_r2ur(instruction& i) {
  if (i.count != 2)
    throw unreadable_code("expected R2UR with two operands; with a predicate nobody has measured what it does");
}

void s2r(warp& w, const instruction& i) {
  const block_context& block = *w.block;
  const lane_row* const coordinates = &block.thread_coordinates[std::size_t{3} * w.number];
  const auto which = static_cast<special_register>(i.operands[1].index);
  set(w, i.operands[0], [&](unsigned l) -> std::uint32_t {
    switch (which) {
      case special_register::thread_x:
        return coordinates[0].lane[l];
      case special_register::thread_y:
        return coordinates[1].lane[l];
      case special_register::thread_z:
        return coordinates[2].lane[l];
      case special_register::block_x:
        return block.where.x;
      case special_register::block_y:
        return block.where.y;
      case special_register::block_z:
        return block.where.z;
      case special_register::lane:
        return l;
      case special_register::warp:
        return w.number;
      case special_register::lanes_before:
        return (1U << l) - 1;
      case special_register::lanes_up_to:
        return (2U << l) - 1;
      case special_register::lane_itself:
        return 1U << l;
      case special_register::lanes_behind:
        return ~((2U << l) - 1);
      case special_register::lanes_from:
        return ~((1U << l) - 1);
      case special_register::shared_window_high:
        return shared_window;
      case special_register::local_window_high:
        return local_window;
      case special_register::clock:
        return static_cast<std::uint32_t>(block.clock);
      case special_register::clock_high:
        return static_cast<std::uint32_t>(block.clock >> 32);
      default:
        return 0;
    }
  });
}

/// What BAR.RED came to.
void b2r(warp& w, const instruction& i) {
  const std::uint32_t result = w.block->barrier_results[0];
  const operand& o = i.operands[0];
  set(w, o, [&](unsigned) { return result; });
  if (i.count > 1) set_predicate(w, i.operands[1], result != 0 ? full_warp : 0);
}

constexpr opcode_rule exchange_rules[] = {
    {"VOTE", vote, "ANY ALL EQ"},
    {"VOTEU", vote, "ANY ALL EQ", number_format::integer, true},
    {"SHFL", shfl, "IDX UP DOWN BFLY"},
    {"MATCH", match, "ANY ALL U64"},
    {"REDUX", redux, "MIN MAX XOR OR SUM S32"},
    {"ELECT", elect, ""},
    {"R2UR", r2ur, "", number_format::integer, false, prepare_r2ur},
    {"S2R", s2r, ""},
    {"S2UR", s2r, "", number_format::integer, true},
    {"B2R", b2r, "RESULT"},
};

}  // namespace

std::span<const opcode_rule> exchange_opcodes() { return exchange_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

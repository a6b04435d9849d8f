// Atomic operations, with a result (ATOM, ATOMG, ATOMS) and without (RED, REDG). Lanes take turns, the lowest first.
#include <algorithm>
#include <type_traits>

#include "sass/handlers/half_numbers.h"
#include "sass/handlers/lanes.h"
#include "sass/handlers/memory_operand.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

enum operation : std::uint32_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor, exch, cas, cast, count };
/// Of the number, above the operation in `variant`.
enum number : std::uint32_t { u32, s32, u64, s64, f32, f64, f16x2, bf16x2 };

void prepare_atomic(instruction& i) {
  constexpr std::size_t words[] = {"ADD"_m, "MIN"_m, "MAX"_m,  "INC"_m, "DEC"_m, "AND"_m,
                                   "OR"_m,  "XOR"_m, "EXCH"_m, "CAS"_m, "CAST"_m};
  std::uint32_t what = add;
  for (std::uint32_t k = 0; k < std::size(words); ++k)
    if (i.has(words[k])) what = k;
  if (i.has("POPC"_m)) what = count;
  number of = u32;
  if (i.has("64"_m)) of = u64;
  if (i.has("S32"_m)) of = s32;
  if (i.has("S64"_m)) of = s64;
  if (i.has("F32"_m)) of = f32;
  if (i.has("F64"_m)) of = f64;
  if (i.has("F16x2"_m)) of = f16x2;
  if (i.has("BF16x2"_m)) of = bf16x2;
  i.width = of == u64 || of == s64 || of == f64 ? 8 : 4;
  i.variant = what | of << 8;
}

template <class T>
SIMTLAB_LANES T combined_value(std::uint32_t what, T old, T value, T other) {
  switch (what) {
    case add:
      return static_cast<T>(old + value);
    case min:
      return std::min(old, value);
    case max:
      return std::max(old, value);
    case inc:
      return old >= value ? T{0} : static_cast<T>(old + 1);
    case dec:
      return old == T{0} || old > value ? value : static_cast<T>(old - 1);
    case exch:
      return value;
    case cas:
    case cast:
      return old == value ? other : old;
    case count:
      return static_cast<T>(old + 1);
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (what == bit_and) return old & value;
    if (what == bit_or) return old | value;
    return old ^ value;
  }
  return old;
}

/// Applies `of(old)` to what stands there, as one step for all threads of this process; the old value.
template <class Bits, class Of>
SIMTLAB_LANES Bits applied(std::byte* at, bool is_private, Of of) {
  Bits old;
  if (is_private) {
    std::memcpy(&old, at, sizeof old);
    const Bits next = of(old);
    std::memcpy(at, &next, sizeof next);
    return old;
  }
  auto* const place = reinterpret_cast<Bits*>(at);  // aligned: it was checked
  old = __atomic_load_n(place, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(place, &old, of(old), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}

template <class T, class Bits>
SIMTLAB_LANES Bits one(std::uint32_t what, std::byte* at, bool is_private, Bits value, Bits other, bool flush) {
  return applied<Bits>(at, is_private, [&](Bits old) {
    T next = combined_value<T>(what, std::bit_cast<T>(old), std::bit_cast<T>(value), std::bit_cast<T>(other));
    if constexpr (std::is_same_v<T, float>)
      if (flush && next != 0 && next > -1.17549435e-38F && next < 1.17549435e-38F) next = 0;
    return std::bit_cast<Bits>(next);
  });
}

std::uint64_t one_of(const instruction& i, std::byte* at, bool is_private, std::uint64_t value, std::uint64_t other) {
  const std::uint32_t what = i.variant & 255;
  const auto v = static_cast<std::uint32_t>(value), o = static_cast<std::uint32_t>(other);
  const bool flush = i.has("FTZ"_m);
  switch (static_cast<number>(i.variant >> 8)) {
    case s32:
      return one<std::int32_t>(what, at, is_private, v, o, flush);
    case u64:
      return one<std::uint64_t>(what, at, is_private, value, other, flush);
    case s64:
      return one<std::int64_t>(what, at, is_private, value, other, flush);
    case f32:
      return one<float>(what, at, is_private, v, o, flush);
    case f64:
      return one<double>(what, at, is_private, value, other, flush);
    case f16x2:
      return applied<std::uint32_t>(at, is_private, [&](std::uint32_t old) { return half_pair_sum(old, v, false); });
    case bf16x2:
      return applied<std::uint32_t>(at, is_private, [&](std::uint32_t old) { return half_pair_sum(old, v, true); });
    default:
      return one<std::uint32_t>(what, at, is_private, v, o, flush);
  }
}

/// The lanes whose generic address lies in a window.
lane_mask in_window(const warp& w, const operand& o, std::uint64_t window) {
  address at[warp_size];
  lane_addresses(w, address_kind::generic, o, at);
  return w.on & lanes_where([&](unsigned l) { return at[l] >> 32 == window; });
}

/// The groups of lanes (of 64 bits halves of the warp) that are on and none of which is among `shared`.
unsigned vain_passes(const warp& w, std::uint32_t width, lane_mask shared) {
  const auto is_vain = [&](lane_mask group) { return (w.on & group) != 0 && (shared & group) == 0; };
  return width == 8 ? is_vain(0xffff) + is_vain(0xffff0000U) : is_vain(full_warp);
}

/// Whether the operation leaves what stands there, whatever that is.
bool changes_nothing(const warp& w, const instruction& i, const operand& value, row v, row o) {
  const std::uint32_t what = i.variant & 255;
  if (i.width != 4) return false;
  if (what == add || what == bit_or || what == bit_xor)
    return (value.kind == operand_kind::reg && value.index == zero_register) ||
           (value.kind == operand_kind::uniform && value.index == zero_uniform);
  if (what != bit_and && what != cas) return false;
  return (w.on & ~lanes_where([&](unsigned l) { return v[l] == (what == cas ? o[l] : ~0U); })) == 0;
}

/// `apart`: lanes of the same instruction that have been told already.
void atomic_where(warp& w, const instruction& i, address_kind kind, unsigned at, lane_mask apart = 0) {
  const operand* const result = at > 0 && i.operands[at - 1].kind == operand_kind::reg ? &i.operands[at - 1] : nullptr;
  const operand absent{.kind = operand_kind::immediate};
  const operand& value = i.count > at + 1U ? i.operands[at + 1] : absent;
  const operand& other = i.count > at + 2U ? i.operands[at + 2] : absent;
  const std::uint32_t what = i.variant & 255;
  const bool nobody_asks = result == nullptr || result->index == zero_register;

  resolved_addresses where(w, i, kind, i.operands[at], i.width);
  memory_access a{.kind = access::atomic, .width = i.width};
  a.atomic = what == count  ? atomic_kind::count
             : what == cas  ? atomic_kind::swap
             : what == cast ? atomic_kind::spin
                            : atomic_kind::plain;
  a.in_block = i.has("CTA"_m) || i.has("SM"_m);
  a.reads_nothing = what == exch && nobody_asks;
  if (kind == address_kind::generic)
    a.vain_passes = static_cast<std::uint8_t>(vain_passes(w, i.width, where.in_shared() | apart));
  lane_row s[4];
  const bool is_long = i.width == 8;
  const row v = raw(w, value, s[0]), vh = is_long ? raw(w, value, s[1], 1) : v;
  const row o = raw(w, other, s[2]), oh = is_long ? raw(w, other, s[3], 1) : o;
  a.changes_nothing = changes_nothing(w, i, value, v, o);
  order_follower* const follower = w.block->follower;
  if (follower != nullptr) follower->begins(where.followed(a));
  where.tell(a);
  where.check();

  std::uint64_t before[warp_size], after[warp_size], compared[warp_size];
  std::uint64_t taken = 0;  // CAST: at each bank (of 64 bits: for each half of the warp) one lane swaps, the lowest
  for (lane_mask rest = w.on; rest != 0; rest &= rest - 1) {
    const unsigned l = lowest_lane(rest);
    const auto offset = reinterpret_cast<address>(where.bytes[l]) - reinterpret_cast<address>(w.block->shared.data());
    const std::uint64_t bank = std::uint64_t{what == cast} << (offset / 4 % 32 + (is_long && l > 15 ? 32 : 0));
    const bool fails = (taken & bank) != 0;
    taken |= bank;
    const std::uint64_t given = is_long ? wide(v, vh, l) : v[l];
    const std::uint64_t second = is_long ? wide(o, oh, l) : o[l];
    std::uint64_t old = fails ? ~given : one_of(i, where.bytes[l], (where.in_shared() >> l & 1) != 0, given, second);
    if (follower != nullptr)
      before[l] = old, compared[l] = given,
      after[l] = what == exch                                    ? given
                 : (what != cas && what != cast) || old != given ? old
                                                                 : second;
    if (nobody_asks) continue;
    if (what == cast) old = old == given ? 1 : 0;  // whether it was swapped
    target_row(w, *result)[l] = static_cast<std::uint32_t>(old);
    if (is_long) target_row(w, *result, 1)[l] = static_cast<std::uint32_t>(old >> 32);
  }
  if (follower == nullptr) return;
  followed_access made = where.followed(a);
  made.is_asked = !nobody_asks;
  const bool compares = what == cas || what == cast;
  if (compares || what == exch) made.before = before, made.after = after;
  if (compares) made.compared = compared;
  where.is_made(made);
}

/// The operands stand behind the address, the result before it, and before that a predicate. Where that is not PT, the operation is one
/// that shared and local memory have not: it is done for global addresses alone, and the predicate says where. The compiler makes a loop
/// for the other lanes (found in what nvcc makes of 64-bit atomics on generic addresses). Exchanges and swaps of 64 bits shared memory
/// has: behind them nvcc leaves a plain load and store, for local memory. It adds integers of 64 bits, too: of 96 such requests of an
/// H200 none went on to the loop, and each lane took its wavefront.
void atomic(warp& w, const instruction& i, address_kind kind) {
  unsigned at = 0;
  while (i.operands[at].kind != operand_kind::address) ++at;
  const operand* const done = at > 1 && is_predicate(i.operands[at - 2]) ? &i.operands[at - 2] : nullptr;
  if (done == nullptr || done->index == true_predicate) return atomic_where(w, i, kind, at);
  const std::uint32_t what = i.variant & 255;
  const bool has_shared = what == exch || what == cas || i.variant == (add | u64 << 8);
  const bool is_generic = kind == address_kind::generic;
  const lane_mask on = w.on, probing = is_generic && !has_shared ? in_window(w, i.operands[at], shared_window) : 0;
  const lane_mask elsewhere = probing | (is_generic ? in_window(w, i.operands[at], local_window) : 0);
  set_predicate(w, *done, ~elsewhere);
  if (elsewhere == 0) return atomic_where(w, i, kind, at);
  if (probing != 0) {
    w.put_on(probing);
    memory_access a{.kind = access::atomic, .width = i.width, .atomic = atomic_kind::probe};
    resolved_addresses(w, i, kind, i.operands[at], i.width).tell(a);
  }
  w.put_on(on & ~elsewhere);
  if (w.on != 0) atomic_where(w, i, kind, at, probing);
  w.put_on(on);
}

template <address_kind Kind>
void atomic_in(warp& w, const instruction& i) {
  atomic(w, i, Kind);
}

constexpr std::string_view words =
    "E ADD MIN MAX INC DEC AND OR XOR EXCH CAS CAST SPIN POPC 32 64 S32 S64 F32 F64 F16x2 BF16x2 FTZ RN STRONG GPU SYS "
    "SM CTA NOFTZ";
constexpr opcode_rule atomic_rules[] = {
    {"ATOM", atomic_in<address_kind::generic>, words, number_format::integer, false, prepare_atomic},
    {"RED", atomic_in<address_kind::generic>, words, number_format::integer, false, prepare_atomic},
    {"ATOMG", atomic_in<address_kind::global>, words, number_format::integer, false, prepare_atomic},
    {"REDG", atomic_in<address_kind::global>, words, number_format::integer, false, prepare_atomic},
    {"ATOMS", atomic_in<address_kind::shared>, words, number_format::integer, false, prepare_atomic},
};

}  // namespace

std::span<const opcode_rule> atomic_opcodes() { return atomic_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

// Operands as 32 values, and results by lane. Everything here is inlined: it exists once for each level of the processor.
#pragma once

#include <bit>
#include <cstdint>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "sass/block_context.h"
#include "sass/handlers/opcode_rule.h"
#include "sass/warp.h"

#ifndef SIMTLAB_SASS_LEVEL
#define SIMTLAB_SASS_LEVEL plain
#endif
#define SIMTLAB_LANES [[gnu::always_inline]] inline

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {

using row = const std::uint32_t*;  ///< [32]

SIMTLAB_LANES float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
SIMTLAB_LANES std::uint32_t as_bits(float value) { return std::bit_cast<std::uint32_t>(value); }
SIMTLAB_LANES double as_double(std::uint64_t bits) { return std::bit_cast<double>(bits); }
SIMTLAB_LANES std::uint64_t as_bits(double value) { return std::bit_cast<std::uint64_t>(value); }
SIMTLAB_LANES std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }

SIMTLAB_LANES row filled(lane_row& scratch, std::uint32_t value) {
  for (std::uint32_t& each : scratch.lane) each = value;
  return scratch.lane;
}

/// The 32 bits that a constant has at `offset`.
SIMTLAB_LANES std::uint32_t constant_word(const warp& w, const operand& o, std::uint32_t offset) {
  return w.block->constant(o.bank, offset);
}
SIMTLAB_LANES std::uint32_t constant_base(const warp& w, const operand& o) {
  return static_cast<std::uint32_t>(o.value) + (o.uniform == no_register ? 0 : w.uniforms[o.uniform]);
}

/// The bits of an operand, signs left as they are; `part` 1: of its upper 32.
SIMTLAB_LANES row raw(const warp& w, const operand& o, lane_row& scratch, unsigned part = 0) {
  switch (o.kind) {
    case operand_kind::reg:
      return w.registers[o.index == zero_register ? zero_register : o.index + part].lane;
    case operand_kind::immediate:
      return filled(scratch, static_cast<std::uint32_t>(o.value >> 32 * part));
    case operand_kind::uniform:
      return filled(scratch, o.index == zero_uniform ? 0 : w.uniforms[o.index + part]);
    case operand_kind::constant: {
      const std::uint32_t base = constant_base(w, o) + 4 * part;
      if (o.index == no_register) return filled(scratch, constant_word(w, o, base));
      for (unsigned l = 0; l < warp_size; ++l)
        scratch.lane[l] = constant_word(w, o, base + w.registers[o.index].lane[l]);
      return scratch.lane;
    }
    default:
      return filled(scratch, 0);
  }
}

SIMTLAB_LANES row integers(const warp& w, const operand& o, lane_row& scratch, unsigned part = 0) {
  const row from = raw(w, o, scratch, part);
  if (!(o.is_negated || o.is_absolute || o.is_inverted)) [[likely]]
    return from;
  for (unsigned l = 0; l < warp_size; ++l) {
    std::uint32_t v = from[l];
    if (o.is_absolute) v = as_signed(v) < 0 ? 0 - v : v;
    if (o.is_negated) v = 0 - v;
    if (o.is_inverted) v = ~v;
    scratch.lane[l] = v;
  }
  return scratch.lane;
}

/// Floating-point operands: absolute value and sign concern the sign bit alone. `flush`: denormal numbers are zeros.
SIMTLAB_LANES row floats(const warp& w, const operand& o, lane_row& scratch, bool flush = false) {
  const row from = raw(w, o, scratch);
  if (!(o.is_negated || o.is_absolute || flush)) [[likely]]
    return from;
  const std::uint32_t kept = o.is_absolute ? 0x7fffffffU : ~0U, turned = o.is_negated ? 0x80000000U : 0;
  for (unsigned l = 0; l < warp_size; ++l) {
    std::uint32_t v = from[l];
    if (flush && (v & 0x7f800000U) == 0) v &= 0x80000000U;
    scratch.lane[l] = (v & kept) ^ turned;
  }
  return scratch.lane;
}

SIMTLAB_LANES std::uint64_t wide(row low, row high, unsigned l) { return std::uint64_t{high[l]} << 32 | low[l]; }

/// A predicate as a mask of lanes.
SIMTLAB_LANES lane_mask predicate(const warp& w, const operand& o) {
  const lane_mask v = o.kind == operand_kind::predicate           ? w.predicates[o.index]
                      : o.kind == operand_kind::uniform_predicate ? w.uniform_predicates[o.index]
                                                                  : full_warp;
  return o.is_negated ? ~v : v;
}
SIMTLAB_LANES bool is_predicate(const operand& o) {
  return o.kind == operand_kind::predicate || o.kind == operand_kind::uniform_predicate;
}

SIMTLAB_LANES void set_predicate(warp& w, const operand& o, lane_mask value) {
  if (o.index == true_predicate) return;
  if (o.kind == operand_kind::uniform_predicate)
    w.uniform_predicates[o.index] = (value & 1) != 0 ? full_warp : 0;
  else if (o.kind == operand_kind::predicate)
    w.predicates[o.index] = (w.predicates[o.index] & ~w.on) | (value & w.on);
}

/// Where the result goes; of a uniform register nothing is known here.
SIMTLAB_LANES std::uint32_t* target_row(warp& w, const operand& o, unsigned part = 0) {
  return w.registers[o.index == zero_register ? warp::sink_row : o.index + part].lane;
}

SIMTLAB_LANES void set_uniform(warp& w, const operand& o, std::uint32_t value, unsigned part = 0) {
  if (o.index != zero_uniform) w.uniforms[o.index + part] = value;
}

/// Sets the lanes that are on to `of(lane)`.
template <class Of>
SIMTLAB_LANES void set(warp& w, const operand& o, Of of, unsigned part = 0) {
  if (o.kind == operand_kind::uniform) {
    set_uniform(w, o, of(0U), part);
    return;
  }
  std::uint32_t* const to = target_row(w, o, part);
  if (w.on == full_warp) {
#pragma GCC ivdep
    for (unsigned l = 0; l < warp_size; ++l) to[l] = of(l);
  } else {
    const std::uint32_t* const on = w.on_row.lane;
#pragma GCC ivdep
    for (unsigned l = 0; l < warp_size; ++l) to[l] = (of(l) & on[l]) | (to[l] & ~on[l]);
  }
}

/// The same for lanes that each take their own way: `of` is not asked for lanes that are off.
template <class Of>
SIMTLAB_LANES void set_each(warp& w, const operand& o, Of of) {
  if (o.kind == operand_kind::uniform) {
    set_uniform(w, o, of(0U));
    return;
  }
  std::uint32_t* const to = target_row(w, o);
  for (unsigned l = 0; l < warp_size; ++l)
    if ((w.on >> l & 1) != 0) to[l] = of(l);
}

template <class Of>
SIMTLAB_LANES void set_wide(warp& w, const operand& o, Of of) {
  if (o.kind == operand_kind::uniform) {
    const std::uint64_t v = of(0U);
    set_uniform(w, o, static_cast<std::uint32_t>(v));
    set_uniform(w, o, static_cast<std::uint32_t>(v >> 32), 1);
    return;
  }
  std::uint32_t *const low = target_row(w, o), *const high = o.index == zero_register ? low : target_row(w, o, 1);
  const std::uint32_t* const on = w.on_row.lane;
#pragma GCC ivdep
  for (unsigned l = 0; l < warp_size; ++l) {
    const std::uint64_t v = of(l);
    const auto v0 = static_cast<std::uint32_t>(v), v1 = static_cast<std::uint32_t>(v >> 32);
    low[l] = (v0 & on[l]) | (low[l] & ~on[l]);
    high[l] = (v1 & on[l]) | (high[l] & ~on[l]);
  }
}

/// The lanes for which `holds(lane)`.
template <class Holds>
SIMTLAB_LANES lane_mask lanes_where(Holds holds) {
#ifdef __AVX2__
  lane_row bits;
  for (unsigned l = 0; l < warp_size; ++l) bits.lane[l] = holds(l) ? ~0U : 0;
  lane_mask result = 0;
  for (unsigned part = 0; part < 4; ++part) {
    const __m256 eight = _mm256_load_ps(reinterpret_cast<const float*>(bits.lane + 8 * part));
    result |= static_cast<lane_mask>(_mm256_movemask_ps(eight)) << 8 * part;
  }
  return result;
#else
  lane_mask result = 0;
  for (unsigned l = 0; l < warp_size; ++l) result |= static_cast<lane_mask>(holds(l)) << l;
  return result;
#endif
}

SIMTLAB_LANES unsigned lowest_lane(lane_mask m) { return static_cast<unsigned>(std::countr_zero(m)); }

/// Of the comparison's result and the predicate that it is combined with.
SIMTLAB_LANES lane_mask combined(const instruction& i, lane_mask a, lane_mask b) {
  if (i.has("OR"_m)) return a | b;
  return i.has("XOR"_m) ? a ^ b : a & b;
}

/// What a comparison of floating-point numbers comes to: lanes where the first is less, equal, greater; in the others one of the two is
/// no number, and the comparisons that end with U hold there.
SIMTLAB_LANES lane_mask by_order(const instruction& i, lane_mask less, lane_mask same, lane_mask greater) {
  const lane_mask unordered = ~(less | same | greater);
  if (i.has("LT"_m)) return less;
  if (i.has("EQ"_m)) return same;
  if (i.has("LE"_m)) return less | same;
  if (i.has("GT"_m)) return greater;
  if (i.has("NE"_m)) return less | greater;
  if (i.has("GE"_m)) return greater | same;
  if (i.has("NUM"_m)) return ~unordered;
  if (i.has("NAN"_m)) return unordered;
  if (i.has("LTU"_m)) return less | unordered;
  if (i.has("EQU"_m)) return same | unordered;
  if (i.has("LEU"_m)) return ~greater;
  if (i.has("GTU"_m)) return greater | unordered;
  if (i.has("NEU"_m)) return ~same;
  if (i.has("GEU"_m)) return ~less;
  return i.has("T"_m) ? full_warp : 0;
}

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

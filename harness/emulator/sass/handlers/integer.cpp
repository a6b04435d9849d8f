// Whole numbers: sums, products, integer_comparisons, minima; and moves.

#include "sass/handlers/lanes.h"
#include "sass/handlers/special_registers.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

void mov(warp& w, const instruction& i) {
  lane_row s;
  const row a = integers(w, i.operands[1], s);
  set(w, i.operands[0], [&](unsigned l) { return a[l]; });
}

/// A constant zero, or a clock.
void cs2r(warp& w, const instruction& i) {
  const auto which = static_cast<special_register>(i.operands[1].index);
  const std::uint64_t clock = w.block->clock;
  const std::uint64_t value = which == special_register::clock        ? clock
                              : which == special_register::clock_high ? clock >> 32
                                                                      : 0;
  if (i.has("32"_m)) return set(w, i.operands[0], [&](unsigned) { return static_cast<std::uint32_t>(value); });
  set_wide(w, i.operands[0], [&](unsigned) { return value; });
}

/// a * b + c, with a predicate that carries where .X says so.
void imad_wide(warp& w, const instruction& i, unsigned first, lane_mask carry, lane_mask* carried) {
  lane_row s[4];
  const operand& third = i.operands[first + 2];
  const row a = integers(w, i.operands[first], s[0]), b = integers(w, i.operands[first + 1], s[1]);
  const row low = raw(w, third, s[2]), high = raw(w, third, s[3], 1);
  const bool is_unsigned = i.has("U32"_m), negates = third.is_negated, inverts = third.is_inverted;
  const auto addend = [&](unsigned l) {
    const std::uint64_t c = wide(low, high, l);
    return inverts ? ~c : negates ? 0 - c : c;
  };
  const auto product = [&](unsigned l) {
    return is_unsigned ? std::uint64_t{a[l]} * b[l]
                       : static_cast<std::uint64_t>(std::int64_t{as_signed(a[l])} * as_signed(b[l]));
  };
  if (carried != nullptr)
    *carried = lanes_where([&](unsigned l) {
      const std::uint64_t p = product(l), sum = p + addend(l);
      return sum < p || (sum == ~std::uint64_t{0} && (carry >> l & 1) != 0);
    });
  if (i.has("HI"_m))
    set(w, i.operands[0], [&](unsigned l) { return static_cast<std::uint32_t>((product(l) + addend(l)) >> 32); });
  else
    set_wide(w, i.operands[0], [&](unsigned l) { return product(l) + addend(l) + (carry >> l & 1); });
}

void imad(warp& w, const instruction& i) {
  const bool has_carry_out = is_predicate(i.operands[1]);
  const unsigned first = has_carry_out ? 2 : 1;
  const lane_mask carry = i.has("X"_m) && i.count > first + 3 ? predicate(w, i.operands[first + 3]) : 0;
  lane_mask carried = 0;
  if (i.has("WIDE"_m) || i.has("HI"_m)) {
    imad_wide(w, i, first, carry, has_carry_out ? &carried : nullptr);
  } else {
    lane_row s[3];
    const row a = integers(w, i.operands[first], s[0]), b = integers(w, i.operands[first + 1], s[1]);
    const row c = integers(w, i.operands[first + 2], s[2]);
    if (has_carry_out)
      carried =
          lanes_where([&](unsigned l) { return (std::uint64_t{a[l] * b[l]} + c[l] + (carry >> l & 1)) >> 32 != 0; });
    if (i.has("X"_m))
      set(w, i.operands[0], [&](unsigned l) { return a[l] * b[l] + c[l] + (carry >> l & 1); });
    else
      set(w, i.operands[0], [&](unsigned l) { return a[l] * b[l] + c[l]; });
  }
  if (has_carry_out) set_predicate(w, i.operands[1], carried);
}

/// A carry of a - b is that of a + ~b + 1: of a negated zero, too.
SIMTLAB_LANES std::uint64_t term(row values, const operand& o, unsigned l) {
  return std::uint64_t{values[l]} + (o.is_negated && values[l] == 0 ? std::uint64_t{1} << 32 : 0);
}

void iadd3(warp& w, const instruction& i) {
  unsigned first = 1, carries = 0;
  while (carries < 2 && is_predicate(i.operands[first])) ++first, ++carries;
  lane_row s[3];
  const operand *const oa = &i.operands[first], *const ob = oa + 1, *const oc = oa + 2;
  const row a = integers(w, *oa, s[0]), b = integers(w, *ob, s[1]), c = integers(w, *oc, s[2]);
  if (carries == 0 && !i.has("X"_m)) return set(w, i.operands[0], [&](unsigned l) { return a[l] + b[l] + c[l]; });
  lane_mask in[2] = {0, 0};
  for (unsigned k = 0; k < 2; ++k)
    if (i.has("X"_m) && i.count > first + 3 + k) in[k] = predicate(w, i.operands[first + 3 + k]);
  const auto sum = [&](unsigned l) {
    return term(a, *oa, l) + term(b, *ob, l) + term(c, *oc, l) + (in[0] >> l & 1) + (in[1] >> l & 1);
  };
  const lane_mask one = carries > 0 ? lanes_where([&](unsigned l) { return sum(l) >> 32 >= 1; }) : 0;
  const lane_mask two = carries > 1 ? lanes_where([&](unsigned l) { return sum(l) >> 32 >= 2; }) : 0;
  set(w, i.operands[0], [&](unsigned l) { return a[l] + b[l] + c[l] + (in[0] >> l & 1) + (in[1] >> l & 1); });
  if (carries > 0) set_predicate(w, i.operands[1], one);
  if (carries > 1) set_predicate(w, i.operands[2], two);
}

/// Of both halves of a word, apart.
template <class Of>
SIMTLAB_LANES std::uint32_t of_halves(std::uint32_t a, std::uint32_t b, Of of) {
  return (of(a & 0xffff, b & 0xffff) & 0xffff) | of(a >> 16, b >> 16) << 16;
}

void viadd(warp& w, const instruction& i) {
  lane_row s[2];
  if (i.has("16x2"_m)) {
    const row x = raw(w, i.operands[1], s[0]), y = raw(w, i.operands[2], s[1]);
    const std::uint32_t sx = i.operands[1].is_negated ? ~0U : 1, sy = i.operands[2].is_negated ? ~0U : 1;
    return set(w, i.operands[0], [&](unsigned l) {
      return of_halves(x[l], y[l], [&](std::uint32_t p, std::uint32_t q) { return p * sx + q * sy; });
    });
  }
  const row a = integers(w, i.operands[1], s[0]), b = integers(w, i.operands[2], s[1]);
  set(w, i.operands[0], [&](unsigned l) { return a[l] + b[l]; });
}

/// (a << n) + b; .HI: the upper half of the 64 bits of c and a, shifted.
void lea(warp& w, const instruction& i) {
  const bool has_carry_out = is_predicate(i.operands[1]), is_high = i.has("HI"_m), extends = i.has("SX32"_m);
  unsigned at = has_carry_out ? 2 : 1;
  lane_row s[3];
  const row a = integers(w, i.operands[at], s[0]);
  const operand& second = i.operands[at + 1];
  const row b = integers(w, second, s[1]);
  at += 2;
  const row c = is_high && !extends ? integers(w, i.operands[at++], s[2]) : nullptr;
  const auto shift = static_cast<unsigned>(i.operands[at].value & 31);
  const lane_mask carry = i.has("X"_m) && i.count > at + 1 ? predicate(w, i.operands[at + 1]) : 0;
  const auto shifted = [&](unsigned l) -> std::uint32_t {
    if (!is_high) return a[l] << shift;
    const std::uint64_t v = extends ? static_cast<std::uint64_t>(std::int64_t{as_signed(a[l])}) : wide(a, c, l);
    return static_cast<std::uint32_t>(v << shift >> 32);
  };
  const lane_mask carried =
      has_carry_out
          ? lanes_where([&](unsigned l) { return (shifted(l) + term(b, second, l) + (carry >> l & 1)) >> 32 != 0; })
          : 0;
  set(w, i.operands[0], [&](unsigned l) { return shifted(l) + b[l] + (carry >> l & 1); });
  if (has_carry_out) set_predicate(w, i.operands[1], carried);
}

enum : std::uint32_t { never, less, equal, less_equal, greater, not_equal, greater_equal, always };

void prepare_comparison(instruction& i) {
  constexpr std::size_t words[] = {"F"_m, "LT"_m, "EQ"_m, "LE"_m, "GT"_m, "NE"_m, "GE"_m, "T"_m};
  for (std::uint32_t k = 0; k < std::size(words); ++k)
    if (i.has(words[k])) i.variant = k;
}

template <class Number>
SIMTLAB_LANES lane_mask compared(std::uint32_t how, row a, row b) {
  const auto value = [](std::uint32_t v) { return static_cast<Number>(v); };
  switch (how) {
    case less:
      return lanes_where([&](unsigned l) { return value(a[l]) < value(b[l]); });
    case equal:
      return lanes_where([&](unsigned l) { return a[l] == b[l]; });
    case less_equal:
      return lanes_where([&](unsigned l) { return value(a[l]) <= value(b[l]); });
    case greater:
      return lanes_where([&](unsigned l) { return value(a[l]) > value(b[l]); });
    case not_equal:
      return lanes_where([&](unsigned l) { return a[l] != b[l]; });
    case greater_equal:
      return lanes_where([&](unsigned l) { return value(a[l]) >= value(b[l]); });
    default:
      return how == always ? full_warp : 0;
  }
}

/// .EX: the upper halves of 64 bits, the predicate behind has what the lower halves came to.
void isetp(warp& w, const instruction& i) {
  lane_row s[2];
  const row a = integers(w, i.operands[2], s[0]), b = integers(w, i.operands[3], s[1]);
  lane_mask result =
      i.has("U32"_m) ? compared<std::uint32_t>(i.variant, a, b) : compared<std::int32_t>(i.variant, a, b);
  if (i.has("EX"_m)) {
    const lane_mask same = compared<std::uint32_t>(equal, a, b), lower = predicate(w, i.operands[5]);
    if (i.variant == equal)
      result = same & lower;
    else if (i.variant == not_equal)
      result = ~same | lower;
    else
      result = (result & ~same) | (same & lower);
  }
  const lane_mask with = predicate(w, i.operands[4]);
  set_predicate(w, i.operands[0], combined(i, result, with));
  set_predicate(w, i.operands[1], combined(i, ~result, with));
}

void sel(warp& w, const instruction& i) {
  lane_row s[2], which;
  const row a = integers(w, i.operands[1], s[0]), b = integers(w, i.operands[2], s[1]);
  const lane_mask first = predicate(w, i.operands[3]);
  for (unsigned l = 0; l < warp_size; ++l) which.lane[l] = 0 - (first >> l & 1);
  set(w, i.operands[0], [&](unsigned l) { return (a[l] & which.lane[l]) | (b[l] & ~which.lane[l]); });
}

void iabs(warp& w, const instruction& i) {
  lane_row s;
  const row a = integers(w, i.operands[1], s);
  set(w, i.operands[0], [&](unsigned l) { return as_signed(a[l]) < 0 ? 0 - a[l] : a[l]; });
}

SIMTLAB_LANES std::uint32_t extreme(std::uint32_t a, std::uint32_t b, bool is_unsigned, bool least) {
  const bool a_first = is_unsigned ? a < b : as_signed(a) < as_signed(b);
  return a_first == least ? a : b;
}

/// Of numbers, or of the halves of words: the extreme of two, of three (`Sources`), or of a sum and a third (`Adds`). Predicates
/// say where it is the first operand: the low half, then the high one (an H200; tests/programs/dpx.cu).
template <unsigned Sources, bool Adds = false>
void extremes(warp& w, const instruction& i) {
  lane_row s[3];
  const unsigned first = i.count - 1U - Sources;
  const row a = integers(w, i.operands[first], s[0]), b = integers(w, i.operands[first + 1], s[1]),
            c = integers(w, i.operands[first + Sources - 1], s[2]);
  const lane_mask least = predicate(w, i.operands[i.count - 1U]);
  const bool is_signed_halves = i.has("S16x2"_m), is_of_halves = is_signed_halves || i.has("U16x2"_m);
  const bool is_unsigned = i.has("U32"_m), relu = i.has("RELU"_m);
  const auto half = [&](std::uint32_t word, unsigned shift) {
    const std::uint32_t v = word >> shift & 0xffff;
    return is_signed_halves ? (v ^ 0x8000) - 0x8000 : v;
  };
  const auto of = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z, bool min) {
    std::uint32_t v = Adds ? x + y : extreme(x, y, is_unsigned, min);
    if (Adds && is_of_halves) v = half(v, 0);  // a sum of halves wraps
    if (Sources == 3) v = extreme(v, z, is_unsigned, min);
    return relu && as_signed(v) < 0 ? 0 : v;
  };
  if (!is_of_halves)
    return set(w, i.operands[0], [&](unsigned l) { return of(a[l], b[l], c[l], (least >> l & 1) != 0); });
  lane_mask is_first[2] = {};
  lane_row results;
  for (unsigned l = 0; l < warp_size; ++l) {
    results.lane[l] = 0;
    for (unsigned k = 0; k < 2; ++k) {
      const unsigned n = 16 * k;
      const std::uint32_t v = of(half(a[l], n), half(b[l], n), half(c[l], n), (least >> l & 1) != 0) & 0xffff;
      results.lane[l] |= v << n;
      is_first[k] |= static_cast<lane_mask>(v == (a[l] >> n & 0xffff)) << l;
    }
  }
  for (unsigned k = 0; k + 1 < first; ++k) set_predicate(w, i.operands[k + 1], is_first[k]);
  set(w, i.operands[0], [&](unsigned l) { return results.lane[l]; });
}

/// Sum of absolute differences: |a - b| + c.
void vabsdiff(warp& w, const instruction& i) {
  lane_row s[3];
  const row a = integers(w, i.operands[1], s[0]), b = integers(w, i.operands[2], s[1]),
            c = integers(w, i.operands[3], s[2]);
  const bool is_unsigned = i.has("U32"_m);
  set(w, i.operands[0], [&](unsigned l) {
    return extreme(a[l], b[l], is_unsigned, false) - extreme(a[l], b[l], is_unsigned, true) + c[l];
  });
}

/// |a - b| of each byte; .ACC: their sum, and c.
void vabsdiff4(warp& w, const instruction& i) {
  lane_row s[3];
  const row a = integers(w, i.operands[1], s[0]), b = integers(w, i.operands[2], s[1]),
            c = integers(w, i.operands[3], s[2]);
  const bool adds = i.has("ACC"_m);
  set(w, i.operands[0], [&](unsigned l) {
    std::uint32_t bytes = 0, sum = c[l];
    for (unsigned k = 0; k < 32; k += 8) {
      const std::uint32_t x = a[l] >> k & 255, y = b[l] >> k & 255, d = x > y ? x - y : y - x;
      bytes |= d << k;
      sum += d;
    }
    return adds ? sum : bytes;
  });
}

/// Products of parts, added up: .4A of four bytes each, .2A of two halves and the lower or upper two bytes. The types are the first
/// operand's and the second's.
void idp(warp& w, const instruction& i) {
  lane_row s[3];
  const row a = integers(w, i.operands[1], s[0]), b = integers(w, i.operands[2], s[1]),
            c = integers(w, i.operands[3], s[2]);
  const bool is_of_halves = i.has("2A"_m);
  const auto is_signed = [&](std::size_t which) { return i.types[which] == "S8"_m || i.types[which] == "S16"_m; };
  const std::uint32_t sign_a = !is_signed(0) ? 0 : is_of_halves ? 0x8000 : 128, sign_b = is_signed(1) ? 128 : 0;
  const unsigned bits = is_of_halves ? 16 : 8, parts = 32 / bits, first = is_of_halves && i.has("HI"_m) ? 16 : 0;
  set(w, i.operands[0], [&](unsigned l) {
    std::uint32_t sum = c[l];
    for (unsigned k = 0; k < parts; ++k) {
      const std::uint32_t x = a[l] >> bits * k & ((1U << bits) - 1), y = b[l] >> (first + 8 * k) & 255;
      sum += ((x ^ sign_a) - sign_a) * ((y ^ sign_b) - sign_b);
    }
    return sum;
  });
}

constexpr std::string_view products = "WIDE HI U32 X MOV SHL IADD",
                           integer_comparisons = "F LT EQ LE GT NE GE T U32 AND OR XOR EX";

constexpr opcode_rule integer_rules[] = {
    {"MOV", mov, ""},
    {"UMOV", mov, "", number_format::integer, true},
    {"CS2R", cs2r, "32"},
    {"IMAD", imad, products},
    {"UIMAD", imad, products, number_format::integer, true},
    {"IADD3", iadd3, "X"},
    {"UIADD3", iadd3, "X", number_format::integer, true},
    {"VIADD", viadd, "16x2"},
    {"LEA", lea, "HI X SX32"},
    {"ULEA", lea, "HI X SX32", number_format::integer, true},
    {"ISETP", isetp, integer_comparisons, number_format::integer, false, prepare_comparison},
    {"UISETP", isetp, integer_comparisons, number_format::integer, true, prepare_comparison},
    {"SEL", sel, ""},
    {"USEL", sel, "", number_format::integer, true},
    {"IABS", iabs, ""},
    {"UIABS", iabs, "", number_format::integer, true},
    {"IMNMX", extremes<2>, "U32"},
    {"VIMNMX", extremes<2>, "U32 RELU S16x2 U16x2"},
    {"UVIMNMX", extremes<2>, "U32", number_format::integer, true},
    {"VIADDMNMX", extremes<3, true>, "U32 RELU S16x2 U16x2"},
    {"VIMNMX3", extremes<3>, "U32 RELU S16x2 U16x2"},
    {"VABSDIFF", vabsdiff, "U32"},
    {"VABSDIFF4", vabsdiff4, "U8 ACC"},
    {"IDP", idp, "4A 2A LO HI S8 U8 S16 U16"},
};

}  // namespace

std::span<const opcode_rule> integer_opcodes() { return integer_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

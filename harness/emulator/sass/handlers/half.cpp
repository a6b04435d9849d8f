// Two numbers of half precision, or bfloat16, in a register.
#include <cmath>
#include <utility>

#include "sass/handlers/half_numbers.h"
#include "sass/handlers/lanes.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

/// The halves that an operand means, as numbers: of the lower half [0], of the upper [1].
struct half_row {
  float lane[2][warp_size];
};

/// .FTZ: what is too small for a normal half is zero ("PTX ISA", add.ftz.f16), before an operation, and behind it once it has a
/// half's bits (`too_small`; an H200, tests/programs/flushed_results.cu).
template <class Number>
SIMTLAB_LANES Number flushed(const instruction& i, Number v, Number too_small = 0x1p-14F) {
  return i.has("FTZ"_m) && std::fabs(v) < too_small ? std::copysign(Number{0}, v) : v;
}

/// How many operands from `o` on were read: an immediate is two, the upper half first.
unsigned read(const warp& w, const instruction& i, unsigned at, half_row& to) {
  const bool is_bfloat = i.has("BF16_V2"_m);
  const auto number = [&](std::uint32_t bits) { return is_bfloat ? from_bfloat(bits) : flushed(i, from_half(bits)); };
  const operand& o = i.operands[at];
  if (o.kind == operand_kind::immediate) {
    const float high = number(static_cast<std::uint32_t>(o.value & 0xffff));
    const float low = number(static_cast<std::uint32_t>(i.operands[at + 1].value & 0xffff));
    for (unsigned l = 0; l < warp_size; ++l) to.lane[0][l] = low, to.lane[1][l] = high;
    return 2;
  }
  lane_row s;
  const row from = raw(w, o, s);
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned shift = o.half == both_halves ? 16 * half : o.half == high_half ? 16 : 0;
    for (unsigned l = 0; l < warp_size; ++l) {
      float v = number(from[l] >> shift & 0xffff);
      if (o.is_absolute) v = std::fabs(v);
      to.lane[half][l] = o.is_negated ? -v : v;
    }
  }
  return 1;
}

/// Stores what `of(half, lane)` computes in double precision, rounded once.
template <class Of>
SIMTLAB_LANES void set_halves(warp& w, const instruction& i, Of of) {
  const bool is_bfloat = i.has("BF16_V2"_m), saturate = i.has("SAT"_m), relu = i.has("RELU"_m);
  const auto bits = [&](double v) {
    if (saturate) v = v > 0 ? std::fmin(v, 1.0) : 0.0;
    if (relu && v <= 0) v = 0;  // of -0, too
    return is_bfloat ? to_bfloat(v) : to_half(flushed(i, v, 0x1p-14 - 0x1p-26));
  };
  set_each(w, i.operands[0], [&](unsigned l) { return bits(of(1, l)) << 16 | bits(of(0, l)); });
}

/// .F32: the sum of two halves as a float.
void hadd2(warp& w, const instruction& i) {
  half_row a, b;
  const unsigned next = 1 + read(w, i, 1, a);
  read(w, i, next, b);
  if (i.has("F32"_m))
    return set(w, i.operands[0], [&](unsigned l) {
      const float v = a.lane[0][l] + b.lane[0][l];
      return v != v ? 0x7fffffffU : as_bits(v);
    });
  set_halves(w, i, [&](unsigned half, unsigned l) { return double{a.lane[half][l]} + double{b.lane[half][l]}; });
}

void hmul2(warp& w, const instruction& i) {
  half_row a, b;
  const unsigned next = 1 + read(w, i, 1, a);
  read(w, i, next, b);
  set_halves(w, i, [&](unsigned half, unsigned l) { return double{a.lane[half][l]} * double{b.lane[half][l]}; });
}

/// A fused sum that a double does not hold exactly: rounded to odd, so that rounding it to a half rounds once.
SIMTLAB_LANES double fused(double a, double b, double c) {
  const double product = a * b, sum = product + c;  // the product is exact
  const double part = sum - product, error = (product - (sum - part)) + (c - part);
  if (error == 0 || std::isinf(sum) || sum != sum || (as_bits(sum) & 1) != 0) return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

/// How most constants get into registers: 0 * 0 and the two immediates.
enum : std::uint32_t { computes, loads_immediates };

void prepare_hfma2(instruction& i) {
  const auto zero = [](const operand& o) { return o.kind == operand_kind::reg && o.index == zero_register; };
  const auto plain = [](const operand& o) { return o.kind == operand_kind::immediate && (o.value & 0x7fff) != 0x7fff; };
  if (i.count == 5 && zero(i.operands[1]) && zero(i.operands[2]) && plain(i.operands[3]) && plain(i.operands[4]) &&
      !i.has("SAT"_m) && !i.has("RELU"_m))
    i.variant = loads_immediates;
}

void hfma2(warp& w, const instruction& i) {
  if (i.variant == loads_immediates) {
    const auto bits = static_cast<std::uint32_t>((i.operands[3].value & 0xffff) << 16 | (i.operands[4].value & 0xffff));
    return set(w, i.operands[0], [&](unsigned) { return bits; });
  }
  half_row a, b, c;
  unsigned at = 1;
  at += read(w, i, at, a);
  at += read(w, i, at, b);
  read(w, i, at, c);
  set_halves(w, i, [&](unsigned half, unsigned l) { return fused(a.lane[half][l], b.lane[half][l], c.lane[half][l]); });
}

void hmnmx2(warp& w, const instruction& i) {
  half_row a, b;
  unsigned at = 1;
  at += read(w, i, at, a);
  at += read(w, i, at, b);
  const lane_mask least = predicate(w, i.operands[at]);
  const bool is_nan = i.has("NAN"_m);
  set_halves(w, i, [&](unsigned half, unsigned l) {
    const double x = a.lane[half][l], y = b.lane[half][l];
    if (x != x || y != y) return is_nan || (x != x && y != y) ? std::nan("") : x != x ? y : x;
    const bool x_first = x < y || (x == y && std::signbit(x));
    return x_first == ((least >> l & 1) != 0) ? x : y;
  });
}

lane_mask half_comparison(const instruction& i, const half_row& a, const half_row& b, unsigned half) {
  const float *const x = a.lane[half], *const y = b.lane[half];
  return by_order(i, lanes_where([&](unsigned l) { return x[l] < y[l]; }),
                  lanes_where([&](unsigned l) { return x[l] == y[l]; }),
                  lanes_where([&](unsigned l) { return x[l] > y[l]; }));
}

/// Where it holds of the lower halves, and of the upper; the operands stand from `at` on.
std::pair<lane_mask, lane_mask> compared_halves(const warp& w, const instruction& i, unsigned at) {
  half_row a, b;
  at += read(w, i, at, a);
  at += read(w, i, at, b);
  const lane_mask with = predicate(w, i.operands[at]);
  return {combined(i, half_comparison(i, a, b, 0), with), combined(i, half_comparison(i, a, b, 1), with)};
}

/// The first predicate is the lower half's, the second the upper's.
void hsetp2(warp& w, const instruction& i) {
  const auto [low, high] = compared_halves(w, i, 2);
  set_predicate(w, i.operands[0], low);
  set_predicate(w, i.operands[1], high);
}

/// All bits of a half, or with .BF a one, where the comparison holds.
void hset2(warp& w, const instruction& i) {
  const auto both = compared_halves(w, i, 1);
  const std::uint32_t yes = !i.has("BF"_m) ? 0xffff : i.has("BF16_V2"_m) ? 0x3f80 : 0x3c00;
  set(w, i.operands[0], [&](unsigned l) { return ((both.second >> l & 1) * yes) << 16 | (both.first >> l & 1) * yes; });
}

constexpr std::string_view half_arithmetic = "MMA BF16_V2 SAT RELU F32 FTZ",
                           half_comparisons =
                               "BF16_V2 BF FTZ F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T AND OR XOR";
constexpr opcode_rule half_rules[] = {
    {"HADD2", hadd2, half_arithmetic, number_format::half},
    {"HMUL2", hmul2, half_arithmetic, number_format::half},
    {"HFMA2", hfma2, half_arithmetic, number_format::half, false, prepare_hfma2},
    {"HMNMX2", hmnmx2, "BF16_V2 NAN FTZ", number_format::half},
    {"HSETP2", hsetp2, half_comparisons, number_format::half},
    {"HSET2", hset2, half_comparisons, number_format::half},
};

}  // namespace

std::span<const opcode_rule> half_opcodes() { return half_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

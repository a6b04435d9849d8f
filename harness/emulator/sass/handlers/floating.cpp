// Single precision. A result that is no number is 0x7fffffff, whatever the operands' bits (CUDA C++ Programming Guide, "Floating-Point
// Standard"); .FTZ takes denormal operands and results as zeros.
#include <cmath>

#include "sass/handlers/lanes.h"
#include "sass/handlers/rounding.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

constexpr std::uint32_t no_float = 0x7fffffffU;

SIMTLAB_LANES std::uint32_t flushed(std::uint32_t v) { return (v & 0x7f800000U) == 0 ? v & 0x80000000U : v; }

/// Products are so many times themselves where .FTZ asks whether they are too small: it compares what has all bits of a normal number
/// (an H200; tests/programs/flushed_results.cu).
constexpr float scale = 0x1p64F;

/// Stores what `of(lane)` computes, rounded as the instruction says. `scaled`: the same, `scale` times.
template <class Of, class Scaled>
SIMTLAB_LANES void set_float(warp& w, const instruction& i, Of of, Scaled scaled) {
  const int direction = direction_of(i);
  if (direction == FE_TONEAREST && !i.has("FTZ"_m) && !i.has("SAT"_m)) [[likely]]
    return set(w, i.operands[0], [&](unsigned l) {
      const float r = of(l);
      return r != r ? no_float : as_bits(r);
    });
  const bool flush = i.has("FTZ"_m), saturate = i.has("SAT"_m);
  const rounding in(direction);
  set_each(w, i.operands[0], [&](unsigned l) {
    float r = opaque(of(l));
    if (saturate) r = r > 0 ? std::fmin(r, 1.0F) : 0.0F;
    const std::uint32_t bits = r != r ? no_float : as_bits(r);
    return flush && std::fabs(opaque(scaled(l))) < 0x1p-126F * scale ? bits & 0x80000000U : bits;
  });
}
template <class Of>
SIMTLAB_LANES void set_float(warp& w, const instruction& i, Of of) {
  set_float(w, i, of, [&](unsigned l) { return of(l) * scale; });
}

void fadd(warp& w, const instruction& i) {
  lane_row s[2];
  const bool flush = i.has("FTZ"_m);
  const row a = floats(w, i.operands[1], s[0], flush), b = floats(w, i.operands[2], s[1], flush);
  set_float(w, i, [&](unsigned l) { return as_float(a[l]) + as_float(b[l]); });
}

void fmul(warp& w, const instruction& i) {
  lane_row s[2];
  const bool flush = i.has("FTZ"_m);
  const row a = floats(w, i.operands[1], s[0], flush), b = floats(w, i.operands[2], s[1], flush);
  set_float(
      w, i, [&](unsigned l) { return as_float(a[l]) * as_float(b[l]); },
      [&](unsigned l) { return as_float(a[l]) * scale * as_float(b[l]); });
}

void ffma(warp& w, const instruction& i) {
  lane_row s[3];
  const bool flush = i.has("FTZ"_m);
  const row a = floats(w, i.operands[1], s[0], flush), b = floats(w, i.operands[2], s[1], flush);
  const row c = floats(w, i.operands[3], s[2], flush);
  set_float(
      w, i, [&](unsigned l) { return __builtin_fmaf(as_float(a[l]), as_float(b[l]), as_float(c[l])); },
      [&](unsigned l) { return __builtin_fmaf(as_float(a[l]) * scale, as_float(b[l]), as_float(c[l]) * scale); });
}

/// The number where the other one is none; -0 is less than 0.
void fmnmx(warp& w, const instruction& i) {
  lane_row s[2], least;
  const bool flush = i.has("FTZ"_m), is_nan = i.has("NAN"_m);
  const row a = floats(w, i.operands[1], s[0], flush), b = floats(w, i.operands[2], s[1], flush);
  const lane_mask min = predicate(w, i.operands[3]);
  for (unsigned l = 0; l < warp_size; ++l) least.lane[l] = min >> l & 1;
  set(w, i.operands[0], [&](unsigned l) {
    const float x = as_float(a[l]), y = as_float(b[l]);
    const bool x_first = x < y || (x == y && (a[l] >> 31) != 0);
    const std::uint32_t ordered = x_first == (least.lane[l] != 0) ? a[l] : b[l];
    const bool no_x = x != x, no_y = y != y;
    if (no_x && no_y) return no_float;
    if (no_x || no_y) return is_nan ? no_float : no_x ? b[l] : a[l];
    return ordered;
  });
}

void fsel(warp& w, const instruction& i) {
  lane_row s[2], which;
  const bool flush = i.has("FTZ"_m);
  const row a = floats(w, i.operands[1], s[0], flush), b = floats(w, i.operands[2], s[1], flush);
  const lane_mask first = predicate(w, i.operands[3]);
  for (unsigned l = 0; l < warp_size; ++l) which.lane[l] = 0 - (first >> l & 1);
  set(w, i.operands[0], [&](unsigned l) { return (a[l] & which.lane[l]) | (b[l] & ~which.lane[l]); });
}

lane_mask float_comparison(const instruction& i, row a, row b) {
  const lane_mask lt = lanes_where([&](unsigned l) { return as_float(a[l]) < as_float(b[l]); });
  const lane_mask gt = lanes_where([&](unsigned l) { return as_float(a[l]) > as_float(b[l]); });
  const lane_mask eq = lanes_where([&](unsigned l) { return as_float(a[l]) == as_float(b[l]); });
  return by_order(i, lt, eq, gt);
}

void fsetp(warp& w, const instruction& i) {
  lane_row s[2];
  const bool flush = i.has("FTZ"_m);
  const row a = floats(w, i.operands[2], s[0], flush), b = floats(w, i.operands[3], s[1], flush);
  const lane_mask result = float_comparison(i, a, b), with = predicate(w, i.operands[4]);
  set_predicate(w, i.operands[0], combined(i, result, with));
  set_predicate(w, i.operands[1], combined(i, ~result, with));
}

/// All bits, or with .BF a one, where the comparison holds.
void fset(warp& w, const instruction& i) {
  lane_row s[2];
  const bool flush = i.has("FTZ"_m);
  const row a = floats(w, i.operands[1], s[0], flush), b = floats(w, i.operands[2], s[1], flush);
  const lane_mask result = combined(i, float_comparison(i, a, b), predicate(w, i.operands[3]));
  const std::uint32_t yes = i.has("BF"_m) ? as_bits(1.0F) : ~0U;
  set(w, i.operands[0], [&](unsigned l) { return (result >> l & 1) != 0 ? yes : 0U; });
}

/// The special functions, rounded correctly. The GPU's differ from that by at most 1 ulp (RCP, RSQ, SQRT), 2 ulp (EX2) and 2^-20.9
/// and 2^-22 absolutely (SIN, COS; LG2 around 1): CUDA C++ Programming Guide, "Intrinsic Functions", and the PTX ISA's
/// bounds of the approximations. Denormal operands and results are zeros: the compiler scales around them.
SIMTLAB_LANES float special_function(const instruction& i, float x) {
  constexpr double turn = 6.283185307179586476925286766559;
  const double v = x;
  if (i.has("RCP"_m)) return static_cast<float>(1 / v);
  if (i.has("RSQ"_m)) return static_cast<float>(1 / std::sqrt(v));
  if (i.has("SQRT"_m)) return static_cast<float>(std::sqrt(v));
  if (i.has("EX2"_m)) return static_cast<float>(std::exp2(v));
  if (i.has("LG2"_m)) return static_cast<float>(std::log2(v));
  if (i.has("SIN"_m)) return static_cast<float>(std::sin(turn * (v - std::nearbyint(v))));  // of whole turns
  if (i.has("COS"_m)) return static_cast<float>(std::cos(turn * (v - std::nearbyint(v))));
  return static_cast<float>(std::tanh(v));
}

/// Immediates of .RCP64H and .RSQ64H were read as doubles (instruction_text.cpp).
void prepare_mufu(instruction& i) {
  std::uint64_t& value = i.operands[1].value;
  if (value >> 32 != 0) value >>= 32;
}

void mufu(warp& w, const instruction& i) {
  lane_row s;
  const row a = floats(w, i.operands[1], s);
  if (i.has("RCP64H"_m) || i.has("RSQ64H"_m)) {  // of a double's upper half
    const bool is_root = i.has("RSQ64H"_m);
    return set_each(w, i.operands[0], [&](unsigned l) {
      const double v = as_double(std::uint64_t{a[l]} << 32);
      return static_cast<std::uint32_t>(as_bits(is_root ? 1 / std::sqrt(v) : 1 / v) >> 32);
    });
  }
  set_each(w, i.operands[0], [&](unsigned l) {
    const float r = special_function(i, as_float(flushed(a[l])));
    return r != r ? no_float : flushed(as_bits(r));
  });
}

/// Whether a / b needs the slow way: an exponent near either end, or a quotient that may leave the normal numbers.
void fchk(warp& w, const instruction& i) {
  lane_row s[2];
  const row a = floats(w, i.operands[1], s[0]), b = floats(w, i.operands[2], s[1]);
  set_predicate(w, i.operands[0], lanes_where([&](unsigned l) {
                  const auto ea = static_cast<int>(a[l] >> 23 & 255), eb = static_cast<int>(b[l] >> 23 & 255);
                  return eb < 2 || eb > 252 || ea == 255 || ea - eb > 126 || ea - eb < -125 || ea < 25;
                }));
}

constexpr std::string_view float_arithmetic = "FTZ SAT RM RP RZ RN",
                           float_comparisons =
                               "F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T AND OR XOR FTZ BF";
constexpr opcode_rule float_rules[] = {
    {"FADD", fadd, float_arithmetic, number_format::float32},
    {"FMUL", fmul, float_arithmetic, number_format::float32},
    {"FFMA", ffma, float_arithmetic, number_format::float32},
    {"FMNMX", fmnmx, "FTZ NAN", number_format::float32},
    {"FSEL", fsel, "FTZ", number_format::float32},
    {"FSETP", fsetp, float_comparisons, number_format::float32},
    {"FSET", fset, float_comparisons, number_format::float32},
    {"MUFU", mufu, "RCP RSQ SQRT EX2 LG2 SIN COS TANH RCP64H RSQ64H", number_format::float32, false, prepare_mufu},
    {"FCHK", fchk, "DIVIDE", number_format::float32},
};

}  // namespace

std::span<const opcode_rule> float_opcodes() { return float_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

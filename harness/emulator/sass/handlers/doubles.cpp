// Double precision: registers in twos, the lower half first.
#include <cmath>

#include "sass/handlers/lanes.h"
#include "sass/handlers/rounding.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

constexpr std::uint64_t no_double = 0xfff8000000000000U;

struct alignas(64) double_row {
  double lane[warp_size];
};

SIMTLAB_LANES void read(const warp& w, const operand& o, double_row& to) {
  lane_row s[2];
  const row low = raw(w, o, s[0]), high = raw(w, o, s[1], 1);
  const std::uint64_t sign = std::uint64_t{1} << 63, kept = o.is_absolute ? ~sign : ~std::uint64_t{0},
                      turned = o.is_negated ? sign : 0;
  for (unsigned l = 0; l < warp_size; ++l) to.lane[l] = as_double((wide(low, high, l) & kept) ^ turned);
}

template <class Of>
SIMTLAB_LANES void set_double(warp& w, const instruction& i, Of of) {
  const auto bits = [](double r) { return r != r ? no_double : as_bits(r); };
  const int direction = direction_of(i);
  if (direction == FE_TONEAREST) return set_wide(w, i.operands[0], [&](unsigned l) { return bits(of(l)); });
  const rounding in(direction);
  double_row r;
  for (unsigned l = 0; l < warp_size; ++l) r.lane[l] = opaque(of(l));
  set_wide(w, i.operands[0], [&](unsigned l) { return bits(r.lane[l]); });
}

void dadd(warp& w, const instruction& i) {
  double_row a, b;
  read(w, i.operands[1], a);
  read(w, i.operands[i.count - 1U], b);  // DADD R0,R2,R4, and in some listings DADD R0,R2,RZ,R4
  set_double(w, i, [&](unsigned l) { return a.lane[l] + b.lane[l]; });
}

void dmul(warp& w, const instruction& i) {
  double_row a, b;
  read(w, i.operands[1], a);
  read(w, i.operands[2], b);
  set_double(w, i, [&](unsigned l) { return a.lane[l] * b.lane[l]; });
}

void dfma(warp& w, const instruction& i) {
  double_row a, b, c;
  read(w, i.operands[1], a);
  read(w, i.operands[2], b);
  read(w, i.operands[3], c);
  set_double(w, i, [&](unsigned l) { return __builtin_fma(a.lane[l], b.lane[l], c.lane[l]); });
}

void dmnmx(warp& w, const instruction& i) {
  double_row a, b;
  read(w, i.operands[1], a);
  read(w, i.operands[2], b);
  const lane_mask least = predicate(w, i.operands[3]);
  set_double(w, i, [&](unsigned l) {
    return (least >> l & 1) != 0 ? std::fmin(a.lane[l], b.lane[l]) : std::fmax(a.lane[l], b.lane[l]);
  });
}

void dsetp(warp& w, const instruction& i) {
  double_row a, b;
  read(w, i.operands[2], a);
  read(w, i.operands[3], b);
  const auto lanes = [&](auto holds) {
    lane_mask m = 0;
    for (unsigned l = 0; l < warp_size; ++l) m |= static_cast<lane_mask>(holds(a.lane[l], b.lane[l])) << l;
    return m;
  };
  const lane_mask lt = lanes([](double x, double y) { return x < y; }),
                  eq = lanes([](double x, double y) { return x == y; });
  const lane_mask gt = lanes([](double x, double y) { return x > y; });
  const lane_mask with = predicate(w, i.operands[4]);
  if (i.has("MAX"_m) || i.has("MIN"_m)) {
    // Which operand fmax() and fmin() take: the first where the predicate holds. Where the second holds the result is the second operand
    // with the bit of a quiet NaN (found in what nvcc makes of them), so both are NaN there.
    const bool is_max = i.has("MAX"_m);
    const lane_mask of_equals = lanes([&](double x, double y) { return x == y && std::signbit(x) != is_max; });
    const lane_mask no_second = lanes([](double, double y) { return y != y; });
    set_predicate(w, i.operands[0], combined(i, (is_max ? gt : lt) | of_equals | no_second, with));
    set_predicate(w, i.operands[1], combined(i, no_second & lanes([](double x, double) { return x != x; }), with));
    return;
  }
  const lane_mask result = by_order(i, lt, eq, gt);
  set_predicate(w, i.operands[0], combined(i, result, with));
  set_predicate(w, i.operands[1], combined(i, ~result, with));
}

constexpr std::string_view double_arithmetic = "RM RP RZ RN";
constexpr opcode_rule double_rules[] = {
    {"DADD", dadd, double_arithmetic, number_format::float64},
    {"DMUL", dmul, double_arithmetic, number_format::float64},
    {"DFMA", dfma, double_arithmetic, number_format::float64},
    {"DMNMX", dmnmx, "", number_format::float64},
    {"DSETP", dsetp, "F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T AND OR XOR MAX MIN",
     number_format::float64},
};

}  // namespace

std::span<const opcode_rule> double_opcodes() { return double_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

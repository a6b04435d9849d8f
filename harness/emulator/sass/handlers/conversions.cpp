// Numbers as numbers of another type.
#include <algorithm>
#include <cmath>

#include "sass/handlers/half_numbers.h"
#include "sass/handlers/lanes.h"
#include "sass/handlers/rounding.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

SIMTLAB_LANES bool is_type(std::uint8_t type, std::size_t word) { return type == word; }

SIMTLAB_LANES direction half_direction(const instruction& i) {
  if (i.has("RM"_m)) return direction::down;
  if (i.has("RP"_m)) return direction::up;
  return i.has("RZ"_m) ? direction::zero : direction::nearest;
}

SIMTLAB_LANES double to_whole(const instruction& i, double v) {
  if (i.has("TRUNC"_m)) return std::trunc(v);
  if (i.has("FLOOR"_m)) return std::floor(v);
  return i.has("CEIL"_m) ? std::ceil(v) : std::nearbyint(v);
}

/// The number that a lane's bits are, in the format `type`; F32 where none is named.
SIMTLAB_LANES double number_of(std::uint8_t type, std::uint64_t bits, const operand& o) {
  double v = 0;
  if (is_type(type, "F64"_m))
    v = as_double(bits);
  else if (is_type(type, "F16"_m))
    v = from_half(static_cast<std::uint32_t>(bits) >> (o.half == high_half ? 16 : 0) & 0xffff);
  else if (is_type(type, "BF16"_m))
    v = from_bfloat(static_cast<std::uint32_t>(bits) >> (o.half == high_half ? 16 : 0) & 0xffff);
  else
    v = as_float(static_cast<std::uint32_t>(bits));
  if (o.is_absolute) v = std::fabs(v);
  return o.is_negated ? -v : v;
}

/// Both halves of the source where it has 64 bits.
struct source {
  [[gnu::always_inline]] source(const warp& w, const operand& o, bool is_long)
      : low(raw(w, o, rows[0])), high(is_long ? raw(w, o, rows[1], 1) : nullptr) {}
  [[nodiscard, gnu::always_inline]] std::uint64_t bits(unsigned l) const {
    return high == nullptr ? low[l] : wide(low, high, l);
  }
  lane_row rows[2];
  row low, high;
};

struct integer_range {
  double least, beyond;  ///< `beyond` is one more than the greatest
  std::uint64_t lowest, highest;
  bool is_long;
};

integer_range range_of(std::uint8_t type) {
  const auto make = [](unsigned bits, bool is_signed) -> integer_range {
    const std::uint64_t highest = (~std::uint64_t{0} >> (64 - bits)) >> (is_signed ? 1 : 0);
    return {is_signed ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0.0,
            std::ldexp(1.0, static_cast<int>(bits) - (is_signed ? 1 : 0)), is_signed ? ~highest : 0, highest,
            bits == 64};
  };
  if (is_type(type, "U8"_m)) return make(8, false);
  if (is_type(type, "S8"_m)) return make(8, true);
  if (is_type(type, "U16"_m)) return make(16, false);
  if (is_type(type, "S16"_m)) return make(16, true);
  if (is_type(type, "U32"_m)) return make(32, false);
  if (is_type(type, "U64"_m)) return make(64, false);
  if (is_type(type, "S64"_m)) return make(64, true);
  return make(32, true);
}

constexpr bool is_integer_type(std::uint8_t type) {
  for (const std::size_t t : {"U8"_m, "S8"_m, "U16"_m, "S16"_m, "U32"_m, "S32"_m, "U64"_m, "S64"_m})
    if (type == t) return true;
  return false;
}

/// Saturates; what is no number becomes zero with .NTZ, and otherwise the number with the highest bit alone.
void f2i(warp& w, const instruction& i) {
  std::uint8_t to = no_type, from = no_type;
  for (const std::uint8_t t : i.types)
    if (t != no_type) (is_integer_type(t) ? to : from) = t;
  const integer_range range = range_of(to);
  const operand& o = i.operands[1];
  const source in(w, o, is_type(from, "F64"_m));
  const bool zero_for_none = i.has("NTZ"_m), flush = i.has("FTZ"_m);
  const auto value = [&](unsigned l) -> std::uint64_t {
    double v = number_of(from, in.bits(l), o);
    if (v != v) return zero_for_none ? 0 : range.is_long ? std::uint64_t{1} << 63 : 0x80000000U;
    if (flush && std::fabs(v) < 0x1p-126) v = 0;
    v = to_whole(i, v);
    if (v < range.least) return range.lowest;
    if (v >= range.beyond) return range.highest;
    return v < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(v)) : static_cast<std::uint64_t>(v);
  };
  if (range.is_long) return set_wide(w, i.operands[0], value);
  set(w, i.operands[0], [&](unsigned l) { return static_cast<std::uint32_t>(value(l)); });
}

/// I2F, I2FP: S32 to F32 where nothing is named.
void i2f(warp& w, const instruction& i) {
  std::uint8_t from = no_type, to = no_type;
  for (const std::uint8_t t : i.types)
    if (t != no_type) (is_integer_type(t) ? from : to) = t;
  const integer_range range = range_of(from);
  const operand& o = i.operands[1];
  const source in(w, o, range.is_long);
  const bool is_signed = range.least < 0;
  const unsigned shift = o.half == high_half ? 16 : o.value_byte * 8U;
  const auto whole = [&](unsigned l) -> std::int64_t {
    std::uint64_t v = in.bits(l) >> shift;
    if (o.is_negated) v = 0 - v;
    if (range.is_long) return static_cast<std::int64_t>(v);
    v &= is_signed ? range.highest << 1 | 1 : range.highest;
    if (is_signed && v > range.highest) v |= ~(range.highest << 1 | 1);
    return static_cast<std::int64_t>(v);
  };
  const bool is_long_unsigned = range.is_long && !is_signed;
  const rounding in_direction(direction_of(i));
  if (is_type(to, "F64"_m)) {
    std::uint64_t bits[warp_size];
    for (unsigned l = 0; l < warp_size; ++l) {
      const std::int64_t v = opaque(whole(l));
      bits[l] = as_bits(
          opaque(is_long_unsigned ? static_cast<double>(static_cast<std::uint64_t>(v)) : static_cast<double>(v)));
    }
    return set_wide(w, i.operands[0], [&](unsigned l) { return bits[l]; });
  }
  const bool is_half = is_type(to, "F16"_m), is_bfloat = is_type(to, "BF16"_m);
  const direction how = half_direction(i);
  set_each(w, i.operands[0], [&](unsigned l) -> std::uint32_t {
    const std::int64_t v = opaque(whole(l));
    if (is_half || is_bfloat) {
      // To odd first: a number of 64 bits keeps in its lowest bit that more follows, so that it is rounded once.
      const rounding down(FE_TOWARDZERO);
      double d = opaque(is_long_unsigned ? static_cast<double>(static_cast<std::uint64_t>(v)) : static_cast<double>(v));
      const bool exact = is_long_unsigned ? static_cast<std::uint64_t>(d) == static_cast<std::uint64_t>(v)
                                          : static_cast<std::int64_t>(d) == v;
      if (!exact) d = as_double(as_bits(d) | 1);
      const rounding nearest(FE_TONEAREST);
      return is_half ? to_half(d, how) : to_bfloat(d, how);
    }
    return as_bits(
        opaque(is_long_unsigned ? static_cast<float>(static_cast<std::uint64_t>(v)) : static_cast<float>(v)));
  });
}

/// F2F.TO.FROM
void f2f(warp& w, const instruction& i) {
  const std::uint8_t to = i.types[0], from = i.types[1];
  const operand& o = i.operands[1];
  const source in(w, o, is_type(from, "F64"_m));
  const bool flush = i.has("FTZ"_m);
  const auto value = [&](unsigned l) {
    const double v = number_of(from, in.bits(l), o);
    return flush && std::fabs(v) < 0x1p-126 ? std::copysign(0.0, v) : v;
  };
  if (is_type(to, "F64"_m))
    return set_wide(w, i.operands[0], [&](unsigned l) {
      const double v = value(l);
      return v != v ? 0x7ff8000000000000U : as_bits(v);
    });
  if (is_type(to, "F16"_m))
    return set_each(w, i.operands[0], [&](unsigned l) {
      const double v = value(l);
      if (!is_type(from, "F64"_m) || v == v) return to_half(v, half_direction(i));
      const std::uint64_t bits = as_bits(v);  // such a NaN keeps its sign and the upper bits of its fraction
      return static_cast<std::uint32_t>((bits >> 48 & 0x8000) | 0x7e00 | (bits >> 42 & 0x3ff));
    });
  if (is_type(to, "BF16"_m))
    return set_each(w, i.operands[0], [&](unsigned l) { return to_bfloat(value(l), half_direction(i)); });
  const rounding in_direction(direction_of(i));
  set_each(w, i.operands[0], [&](unsigned l) {
    const float v = opaque(static_cast<float>(opaque(value(l))));
    return v != v ? 0x7fffffffU : as_bits(v);
  });
}

/// Two floats as two halves, the first in the upper one.
void f2fp(warp& w, const instruction& i) {
  lane_row s[2];
  const row a = floats(w, i.operands[1], s[0]), b = floats(w, i.operands[2], s[1]);
  const bool is_bfloat = i.has("BF16"_m), relu = i.has("RELU"_m);
  const direction how = half_direction(i);
  const auto half = [&](std::uint32_t bits) {
    double v = as_float(bits);
    if (relu && v < 0) v = 0;
    return is_bfloat ? to_bfloat(v, how) : to_half(v, how);
  };
  set_each(w, i.operands[0], [&](unsigned l) { return half(a[l]) << 16 | half(b[l]); });
}

/// To a whole number of the same type.
void frnd(warp& w, const instruction& i) {
  const std::uint8_t type = i.types[0];
  const operand& o = i.operands[1];
  const source in(w, o, is_type(type, "F64"_m));
  const auto value = [&](unsigned l) { return to_whole(i, number_of(type, in.bits(l), o)); };
  if (is_type(type, "F64"_m))
    return set_wide(w, i.operands[0], [&](unsigned l) {
      const double v = value(l);
      return v != v ? 0xfff8000000000000U : as_bits(v);
    });
  set_each(w, i.operands[0], [&](unsigned l) -> std::uint32_t {
    const double v = value(l);
    if (is_type(type, "F16"_m)) return to_half(v);
    if (is_type(type, "BF16"_m)) return to_bfloat(v);
    return v != v ? 0x7fffffffU : as_bits(static_cast<float>(v));
  });
}

/// I2I.TO.FROM.SAT: saturated.
void i2i(warp& w, const instruction& i) {
  const integer_range to = range_of(i.types[0]), from = range_of(i.types[1]);
  lane_row s;
  const row a = integers(w, i.operands[1], s);
  set(w, i.operands[0], [&](unsigned l) {
    const std::int64_t v = from.least < 0 ? std::int64_t{as_signed(a[l])} : std::int64_t{a[l]};
    const auto low = static_cast<std::int64_t>(to.least), high = static_cast<std::int64_t>(to.highest);
    return static_cast<std::uint32_t>(std::clamp(v, low, high));
  });
}

constexpr std::string_view all =
    "U8 S8 U16 S16 U32 S32 U64 S64 F16 BF16 F32 F64 FTZ NTZ TRUNC FLOOR CEIL RM RP RZ RN SAT";
constexpr opcode_rule conversion_rules[] = {
    {"F2I", f2i, all, number_format::float32},
    {"I2F", i2f, all},
    {"I2FP", i2f, all},
    {"F2F", f2f, "F16 BF16 F32 F64 FTZ RM RP RZ RN", number_format::float32},
    {"F2FP", f2fp, "F16 BF16 F32 PACK_AB RELU RZ RN RM RP", number_format::float32},
    {"FRND", frnd, "F16 BF16 F64 FTZ TRUNC FLOOR CEIL", number_format::float32},
    {"I2I", i2i, "U8 S8 U16 S16 U32 S32 SAT"},
};

}  // namespace

std::span<const opcode_rule> conversion_opcodes() { return conversion_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

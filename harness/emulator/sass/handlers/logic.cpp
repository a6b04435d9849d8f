// Bits: logic, shifts, permutations of bytes, fields, and predicates as bits.
#include <algorithm>

#include "sass/handlers/lanes.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

/// Bit 4a + 2b + c of the table is the result for the bits a, b, c.
template <class Word>
SIMTLAB_LANES Word looked_up(unsigned table, Word a, Word b, Word c) {
  Word result = 0;
  for (unsigned k = 0; k < 8; ++k)
    result |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c) &
              (0 - static_cast<Word>(table >> k & 1));
  return result;
}

void lop3(warp& w, const instruction& i) {
  const bool has_predicate = is_predicate(i.operands[0]);
  const operand* const o = &i.operands[has_predicate ? 1 : 0];
  lane_row s[3], result;
  const row a = integers(w, o[1], s[0]), b = integers(w, o[2], s[1]), c = integers(w, o[3], s[2]);
  const auto table = static_cast<unsigned>(o[4].value & 255);
  std::uint32_t* const r = result.lane;
  if (table == 0xc0)
    for (unsigned l = 0; l < warp_size; ++l) r[l] = a[l] & b[l];
  else if (table == 0xfc)
    for (unsigned l = 0; l < warp_size; ++l) r[l] = a[l] | b[l];
  else if (table == 0x3c)
    for (unsigned l = 0; l < warp_size; ++l) r[l] = a[l] ^ b[l];
  else
    for (unsigned l = 0; l < warp_size; ++l) r[l] = looked_up(table, a[l], b[l], c[l]);
  set(w, o[0], [&](unsigned l) { return r[l]; });
  if (!has_predicate) return;
  const lane_mask set_bits = lanes_where([&](unsigned l) { return r[l] != 0; });
  const lane_mask with = i.count > 6 ? predicate(w, o[5]) : 0;
  set_predicate(w, i.operands[0], i.has("PAND"_m) ? set_bits & with : set_bits | with);
}

void plop3(warp& w, const instruction& i) {
  const lane_mask a = predicate(w, i.operands[2]), b = predicate(w, i.operands[3]), c = predicate(w, i.operands[4]);
  for (unsigned k = 0; k < 2; ++k)
    set_predicate(w, i.operands[k], looked_up(static_cast<unsigned>(i.operands[5 + k].value & 255), a, b, c));
}

/// Shifts the 64 bits of the third and the first operand, or one of the two alone.
void shf(warp& w, const instruction& i) {
  lane_row s[3];
  const row low = integers(w, i.operands[1], s[0]), by = integers(w, i.operands[2], s[1]),
            high = integers(w, i.operands[3], s[2]);
  const bool left = i.has("L"_m), wraps = i.has("W"_m), takes_high = i.has("HI"_m);
  const bool is_wide = i.has("U64"_m) || i.has("S64"_m), is_signed = i.has("S32"_m) || i.has("S64"_m);
  const std::uint32_t most = is_wide ? 64 : 32;
  set(w, i.operands[0], [&](unsigned l) {
    const std::uint32_t n = wraps ? by[l] & (most - 1) : std::min(by[l], most);
    if (!left && takes_high && !is_wide) {
      const auto v = is_signed ? std::int64_t{as_signed(high[l])} : std::int64_t{high[l]};
      return static_cast<std::uint32_t>(v >> n);
    }
    const std::uint64_t v = left && !takes_high ? low[l] : wide(low, high, l);
    std::uint64_t r = 0;
    if (left)
      r = n > 63 ? 0 : v << n;
    else if (is_signed)
      r = static_cast<std::uint64_t>(static_cast<std::int64_t>(v) >> std::min(n, 63U));
    else
      r = n > 63 ? 0 : v >> n;
    return static_cast<std::uint32_t>(takes_high ? r >> 32 : r);
  });
}

void prmt(warp& w, const instruction& i) {
  lane_row s[3];
  const row a = integers(w, i.operands[1], s[0]), selectors = integers(w, i.operands[2], s[1]),
            b = integers(w, i.operands[3], s[2]);
  set(w, i.operands[0], [&](unsigned l) {
    const std::uint64_t bytes = wide(a, b, l);
    std::uint32_t result = 0;
    for (unsigned place = 0; place < 4; ++place) {
      const std::uint32_t selector = selectors[l] >> 4 * place & 15;
      auto byte = static_cast<std::uint32_t>(bytes >> 8 * (selector & 7) & 255);
      if ((selector & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
      result |= byte << 8 * place;
    }
    return result;
  });
}

void popc(warp& w, const instruction& i) {
  lane_row s;
  const row a = integers(w, i.operands[1], s);
  set(w, i.operands[0], [&](unsigned l) { return static_cast<std::uint32_t>(std::popcount(a[l])); });
}

void brev(warp& w, const instruction& i) {
  lane_row s;
  const row a = integers(w, i.operands[1], s);
  set(w, i.operands[0], [&](unsigned l) {
    std::uint32_t v = a[l];
    v = (v >> 1 & 0x55555555U) | (v & 0x55555555U) << 1;
    v = (v >> 2 & 0x33333333U) | (v & 0x33333333U) << 2;
    v = (v >> 4 & 0x0f0f0f0fU) | (v & 0x0f0f0f0fU) << 4;
    return __builtin_bswap32(v);
  });
}

/// The highest bit that differs from the sign; .SH: how far it lies from the top.
void flo(warp& w, const instruction& i) {
  const bool has_predicate = is_predicate(i.operands[1]);
  lane_row s;
  const row a = integers(w, i.operands[has_predicate ? 2 : 1], s);
  const bool is_unsigned = i.has("U32"_m), from_top = i.has("SH"_m);
  const auto found = [&](unsigned l) {
    const std::uint32_t v = !is_unsigned && as_signed(a[l]) < 0 ? ~a[l] : a[l];
    if (v == 0) return ~0U;
    const auto zeros = static_cast<std::uint32_t>(std::countl_zero(v));
    return from_top ? zeros : 31 - zeros;
  };
  const lane_mask any = has_predicate ? lanes_where([&](unsigned l) { return found(l) != ~0U; }) : 0;
  set(w, i.operands[0], found);
  if (has_predicate) set_predicate(w, i.operands[1], any);
}

void sgxt(warp& w, const instruction& i) {
  lane_row s[2];
  const row a = integers(w, i.operands[1], s[0]), bits = integers(w, i.operands[2], s[1]);
  const bool is_unsigned = i.has("U32"_m), wraps = i.has("W"_m);
  set(w, i.operands[0], [&](unsigned l) {
    const std::uint32_t n = wraps ? bits[l] & 31 : std::min(bits[l], 32U);
    if (n == 0) return 0U;
    const std::uint32_t up = a[l] << (32 - n);
    return is_unsigned ? up >> (32 - n) : static_cast<std::uint32_t>(as_signed(up) >> (32 - n));
  });
}

/// So many ones from a position on.
void bmsk(warp& w, const instruction& i) {
  lane_row s[2];
  const row from = integers(w, i.operands[1], s[0]), bits = integers(w, i.operands[2], s[1]);
  const bool wraps = i.has("W"_m);
  set(w, i.operands[0], [&](unsigned l) {
    const std::uint32_t begin = wraps ? from[l] & 31 : std::min(from[l], 32U);
    const std::uint32_t n = wraps ? bits[l] & 31 : std::min(bits[l], 32U);
    return static_cast<std::uint32_t>(((std::uint64_t{1} << n) - 1) << begin);
  });
}

/// Which byte of the register the predicates' bits are.
SIMTLAB_LANES unsigned first_bit(const operand& o) { return o.value_byte * 8U; }

void p2r(warp& w, const instruction& i) {
  // P2R R0,PR,R1,0x7f: bits of the mask come from the predicates, the others from the third operand. PR may be left out.
  const unsigned at = i.operands[1].kind == operand_kind::all_predicates ? 2 : 1;
  lane_row s[2];
  const bool has_old = i.count > at + 1;
  const row old = has_old ? integers(w, i.operands[at], s[0]) : filled(s[0], 0);
  const row mask = integers(w, i.operands[has_old ? at + 1 : at], s[1]);
  const unsigned shift = first_bit(i.operands[0]);
  const auto& predicates = i.operands[0].kind == operand_kind::uniform ? w.uniform_predicates : w.predicates;
  set(w, i.operands[0], [&](unsigned l) {
    std::uint32_t bits = 0;
    for (unsigned k = 0; k < 7; ++k) bits |= (predicates[k] >> l & 1) << k;
    return (old[l] & ~(mask[l] << shift)) | (bits & mask[l]) << shift;
  });
}

void r2p(warp& w, const instruction& i) {
  const unsigned at = i.operands[0].kind == operand_kind::all_predicates ? 1 : 0;
  lane_row s[2];
  const row a = integers(w, i.operands[at], s[0]), mask = integers(w, i.operands[at + 1], s[1]);
  const unsigned shift = first_bit(i.operands[at]);
  for (unsigned k = 0; k < 7; ++k) {
    const lane_mask value = lanes_where([&](unsigned l) { return (a[l] >> shift >> k & 1) != 0; });
    const lane_mask chosen = w.on & lanes_where([&](unsigned l) { return (mask[l] >> k & 1) != 0; });
    w.predicates[k] = (w.predicates[k] & ~chosen) | (value & chosen);
  }
}

constexpr std::string_view shifts = "L R HI U32 S32 U64 S64 W";
constexpr opcode_rule logic_rules[] = {
    {"LOP3", lop3, "LUT PAND"}, {"ULOP3", lop3, "LUT PAND", number_format::integer, true},
    {"PLOP3", plop3, "LUT"},    {"UPLOP3", plop3, "LUT", number_format::integer, true},
    {"SHF", shf, shifts},       {"USHF", shf, shifts, number_format::integer, true},
    {"PRMT", prmt, ""},         {"UPRMT", prmt, "", number_format::integer, true},
    {"POPC", popc, ""},         {"UPOPC", popc, "", number_format::integer, true},
    {"BREV", brev, ""},         {"UBREV", brev, "", number_format::integer, true},
    {"FLO", flo, "U32 SH"},     {"UFLO", flo, "U32 SH", number_format::integer, true},
    {"SGXT", sgxt, "U32 W"},    {"USGXT", sgxt, "U32 W", number_format::integer, true},
    {"BMSK", bmsk, "W"},        {"UBMSK", bmsk, "W", number_format::integer, true},
    {"P2R", p2r, ""},           {"UP2UR", p2r, "", number_format::integer, true},
    {"R2P", r2p, ""},
};

}  // namespace

std::span<const opcode_rule> logic_opcodes() { return logic_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

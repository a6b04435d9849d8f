// Loads and stores: global, shared, local and generic memory, and constants by index.

#include "core/value_hash.h"
#include "sass/handlers/lanes.h"
#include "sass/handlers/memory_operand.h"
#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {
namespace {

/// Sets `width`: of a lane's bytes. Loads of less than 32 bits extend by `variant`.
enum : std::uint32_t { zero_extended, sign_extended };

void prepare_width(instruction& i) {
  if (i.has("U8"_m) || i.has("S8"_m)) i.width = 1;
  if (i.has("U16"_m) || i.has("S16"_m)) i.width = 2;
  if (i.has("64"_m)) i.width = 8;
  if (i.has("128"_m)) i.width = 16;
  i.variant = i.has("S8"_m) || i.has("S16"_m) ? sign_extended : zero_extended;
}

SIMTLAB_LANES std::uint32_t extended(const instruction& i, std::uint32_t value) {
  if (i.variant != sign_extended) return value;
  return static_cast<std::uint32_t>(i.width == 1 ? std::int32_t{static_cast<std::int8_t>(value)}
                                                 : std::int32_t{static_cast<std::int16_t>(value)});
}

/// Copies the bytes of the lanes that are on to the registers from `o` on.
template <unsigned Width>
void load_lanes(warp& w, const instruction& i, const operand& o, std::byte* const* from) {
  constexpr unsigned words = (Width + 3) / 4;
  std::uint32_t* to[words];
  for (unsigned k = 0; k < words; ++k) to[k] = o.index == zero_register ? target_row(w, o) : target_row(w, o, k);
  const auto one = [&](unsigned l) {
    std::uint32_t value[words] = {};
    std::memcpy(value, from[l], Width);
    if constexpr (Width < 4) value[0] = extended(i, value[0]);
    for (unsigned k = 0; k < words; ++k) to[k][l] = value[k];
  };
  if (w.on == full_warp)
    for (unsigned l = 0; l < warp_size; ++l) one(l);
  else
    for (lane_mask rest = w.on; rest != 0; rest &= rest - 1) one(lowest_lane(rest));
}

/// Copies registers to where the lanes that are on store, the lowest first.
template <unsigned Width>
void store_lanes(const warp& w, const operand& o, std::byte* const* to) {
  constexpr unsigned words = (Width + 3) / 4;
  lane_row s[words];
  row from[words];
  for (unsigned k = 0; k < words; ++k) from[k] = raw(w, o, s[k], k);
  const auto one = [&](unsigned l) {
    std::uint32_t value[words];
    for (unsigned k = 0; k < words; ++k) value[k] = from[k][l];
    std::memcpy(to[l], value, Width);
  };
  if (w.on == full_warp)
    for (unsigned l = 0; l < warp_size; ++l) one(l);
  else
    for (lane_mask rest = w.on; rest != 0; rest &= rest - 1) one(lowest_lane(rest));
}

/// Of what the lanes that are on store.
void hash_values(const warp& w, const instruction& i, const operand& o, std::uint64_t (&hashes)[warp_size]) {
  lane_row s[4];
  row from[4];
  for (unsigned k = 0; k < 4; ++k) from[k] = 4 * k < i.width ? raw(w, o, s[k], k) : nullptr;
  for (unsigned l = 0; l < warp_size; ++l) {
    std::uint32_t value[4] = {};
    for (unsigned k = 0; 4 * k < i.width; ++k) value[k] = from[k][l];
    hashes[l] = value_hash(value, i.width);
  }
}

/// Runs an access of lanes to the spaces that their addresses lie in.
void access_memory(warp& w, const instruction& i, address_kind kind, bool loads, const operand& at,
                   const operand& data) {
  resolved_addresses where(w, i, kind, at, i.width);
  memory_access a{.kind = loads ? access::read : access::write, .width = i.width};
  a.of_atomic = i.is_guess || i.strength == strong_access::by_atomic;
  a.in_block = i.has("SM"_m) || i.has("CTA"_m);
  const bool is_followed = w.block->follower != nullptr && kind != address_kind::local;
  if (is_followed) w.block->follower->begins(where.followed(a));
  if (w.block->requests.is_watched()) {
    std::uint64_t hashes[warp_size];
    const bool hashed = !loads && w.block->requests.wants_each();
    if (hashed) hash_values(w, i, data, hashes);
    a.values = hashed ? hashes : nullptr;
    where.tell(a);
  }
  where.check();
  if (is_followed) where.is_made(where.followed(a));
  switch (i.width) {
    case 1:
      return loads ? load_lanes<1>(w, i, data, where.bytes) : store_lanes<1>(w, data, where.bytes);
    case 2:
      return loads ? load_lanes<2>(w, i, data, where.bytes) : store_lanes<2>(w, data, where.bytes);
    case 8:
      return loads ? load_lanes<8>(w, i, data, where.bytes) : store_lanes<8>(w, data, where.bytes);
    case 16:
      return loads ? load_lanes<16>(w, i, data, where.bytes) : store_lanes<16>(w, data, where.bytes);
    default:
      return loads ? load_lanes<4>(w, i, data, where.bytes) : store_lanes<4>(w, data, where.bytes);
  }
}

template <address_kind Kind>
void load(warp& w, const instruction& i) {
  const unsigned at = i.operands[1].kind == operand_kind::address ? 1 : 2;
  access_memory(w, i, Kind, true, i.operands[at], i.operands[at - 1U]);
}

template <address_kind Kind>
void store(warp& w, const instruction& i) {
  access_memory(w, i, Kind, false, i.operands[0], i.operands[1]);
}

/// LDGSTS: from global to shared memory without a register; done at once, which is one of the moments that the program allows.
void ldgsts(warp& w, const instruction& i) {
  resolved_addresses to(w, i, address_kind::shared, i.operands[0], i.width);
  resolved_addresses from(w, i, address_kind::global, i.operands[1], i.width);
  memory_access reads{.kind = access::read, .width = i.width},
      writes{.kind = access::write, .width = i.width, .is_copy = true};
  from.tell(reads);
  from.check();
  std::uint64_t hashes[warp_size] = {};
  if (w.block->requests.wants_each()) {
    for (lane_mask rest = w.on; rest != 0; rest &= rest - 1)
      hashes[lowest_lane(rest)] = value_hash(from.bytes[lowest_lane(rest)], i.width);
    writes.values = hashes;
  }
  to.tell(writes);
  to.check();
  for (lane_mask rest = w.on; rest != 0; rest &= rest - 1)
    std::memcpy(to.bytes[lowest_lane(rest)], from.bytes[lowest_lane(rest)], i.width);
}

/// A constant whose place the lanes choose is a request; one that the instruction names is not: the compiler put it there.
void tell_constant(warp& w, const instruction& i, const operand& from) {
  if (from.index == no_register || from.index == zero_register || from.bank != 3 || !w.block->requests.is_watched())
    return;
  address addresses[warp_size];
  const std::uint32_t base = constant_base(w, from);
  for (unsigned l = 0; l < warp_size; ++l)
    addresses[l] = w.block->of.constant_address(from.bank, base + w.registers[from.index].lane[l]);
  w.block->requests.tell({.instruction = i.number,
                          .where = w.block->of.site_of(i.number),
                          .kind = access::read,
                          .space = memory_space::constant,
                          .width = i.width,
                          .warp = w.number,
                          .lanes = w.on,
                          .addresses = addresses});
}

void ldc(warp& w, const instruction& i) {
  const operand &to = i.operands[0], &from = i.operands[1];
  tell_constant(w, i, from);
  lane_row s;
  if (i.width >= 4) {
    lane_row parts[2];
    const row low = raw(w, from, parts[0]);
    const row high = i.width == 8 ? raw(w, from, parts[1], 1) : nullptr;
    if (high == nullptr) return set(w, to, [&](unsigned l) { return low[l]; });
    return set_wide(w, to, [&](unsigned l) { return wide(low, high, l); });
  }
  const row bits = raw(w, from, s);
  const std::uint32_t mask = i.width == 1 ? 0xff : 0xffff;
  set(w, to, [&](unsigned l) { return extended(i, bits[l] & mask); });
}

/// Whether a generic address lies in the shared window (.S), in local memory (.L), or in another block's shared memory (.D).
void qspc(warp& w, const instruction& i) {
  address at[warp_size];
  lane_addresses(w, address_kind::generic, i.operands[2], at);
  const std::uint32_t wanted = i.has("S"_m) ? shared_window : i.has("L"_m) ? local_window : 0;
  set_predicate(w, i.operands[0], wanted == 0 ? 0 : lanes_where([&](unsigned l) { return at[l] >> 32 == wanted; }));
}

constexpr std::string_view sizes =
    "E U8 S8 U16 S16 32 64 128 CONSTANT STRONG WEAK GPU SYS SM CTA EF EL LU NA LTC64B LTC128B LTC256B PRIVATE";

constexpr opcode_rule memory_rules[] = {
    {"LDG", load<address_kind::global>, sizes, number_format::integer, false, prepare_width},
    {"STG", store<address_kind::global>, sizes, number_format::integer, false, prepare_width},
    {"LD", load<address_kind::generic>, sizes, number_format::integer, false, prepare_width},
    {"ST", store<address_kind::generic>, sizes, number_format::integer, false, prepare_width},
    {"LDS", load<address_kind::shared>, "U U8 S8 U16 S16 32 64 128", number_format::integer, false, prepare_width},
    {"STS", store<address_kind::shared>, "U8 S8 U16 S16 32 64 128", number_format::integer, false, prepare_width},
    {"LDL", load<address_kind::local>, sizes, number_format::integer, false, prepare_width},
    {"STL", store<address_kind::local>, sizes, number_format::integer, false, prepare_width},
    {"LDGSTS", ldgsts, "E 64 128 BYPASS LTC64B LTC128B LTC256B", number_format::integer, false, prepare_width},
    {"LDC", ldc, "U8 S8 U16 S16 32 64", number_format::integer, false, prepare_width},
    {"ULDC", ldc, "U8 S8 U16 S16 32 64", number_format::integer, true, prepare_width},
    {"QSPC", qspc, "E S L D"},
};

}  // namespace

std::span<const opcode_rule> memory_opcodes() { return memory_rules; }

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL

// The key of one logged event: where it happened and what it was, packed so that one comparison tells whether two
// lanes did the same thing. Bits 0-31 site, 32-47 width in bytes, 48-55 kind, 56-63 call depth (saturating).
#pragma once

#include <bit>
#include <cstdint>

#include "core/types.h"

namespace simtlab::emulator {

/// `order`: the lane passed a fence; the address is its mark (checks/races/vector_clock/happens_before.h). `fetch`: a texture fetch, with the address
/// of its first texel; `texel`: a further texel of the fetch before; the address is 0 where a coordinate lies outside and nothing
/// is read. `copy`: a step of an asynchronous copy (copy_event), its number above the lowest five bits of the width. `free`: the lane has freed
/// what it allocated, or another. From `count` on: atomic operations that cost something else in shared memory (atomic_kind).
enum class record_kind : std::uint8_t {
  read,
  write,
  atomic,
  step,
  value,
  order,
  fetch,
  texel,
  copy,
  free,
  count,
  swap,
  loop
};

/// What else is known of an atomic operation, in the upper half of its kind's byte.
namespace atomic_trait {
inline constexpr std::uint8_t in_block = 0x10;         ///< of block scope
inline constexpr std::uint8_t changes_nothing = 0x20;  ///< whatever stands there, as `atomicAdd(p, 0)`
inline constexpr std::uint8_t reads_nothing = 0x40;    ///< an exchange whose result nobody uses
}  // namespace atomic_trait
constexpr record_kind with_traits(record_kind kind, unsigned traits) {
  return static_cast<record_kind>(static_cast<unsigned>(kind) | traits);
}

using record_key = std::uint64_t;
inline constexpr record_key no_key = ~record_key{0};
inline constexpr std::uint32_t largest_record_width = 0xffff;

/// The width of a structure's access. A GPU copies a structure in pieces, each a request of its own; the record holds them
/// together: bit 15 set, then three bits for the pieces' size and twelve for all bytes.
inline constexpr std::uint32_t most_bytes_in_pieces = 0xff0;
constexpr std::uint32_t width_in_pieces(std::uint32_t bytes, std::uint32_t piece) {
  return bytes <= piece ? bytes : 0x8000 | static_cast<std::uint32_t>(std::countr_zero(piece)) << 12 | bytes;
}
constexpr bool is_in_pieces(std::uint32_t width) { return (width & 0x8000) != 0; }
constexpr std::uint32_t piece_of(std::uint32_t width) { return 1U << (width >> 12 & 7); }
constexpr std::uint32_t bytes_of(std::uint32_t width) { return is_in_pieces(width) ? width & 0xfff : width; }

constexpr record_key make_key(site where, std::uint32_t width, record_kind kind, std::uint8_t depth) {
  return record_key{where} | record_key{width} << 32 | static_cast<record_key>(kind) << 48 | record_key{depth} << 56;
}
constexpr record_key with_width(record_key k, std::uint32_t width) {
  return (k & ~(record_key{largest_record_width} << 32)) | record_key{width} << 32;
}
constexpr site site_of(record_key k) { return static_cast<site>(k); }
constexpr std::uint32_t width_of(record_key k) { return static_cast<std::uint32_t>(k >> 32) & largest_record_width; }
constexpr record_kind kind_of(record_key k) { return static_cast<record_kind>(k >> 48 & 0xf); }
constexpr std::uint8_t traits_of(record_key k) { return static_cast<std::uint8_t>(k >> 48 & 0xf0); }
/// Of a read, a write, an atomic operation or a fetch.
constexpr access access_of(record_key k) {
  if (kind_of(k) >= record_kind::count || kind_of(k) == record_kind::atomic) return access::atomic;
  return kind_of(k) == record_kind::write ? access::write : access::read;
}
constexpr atomic_kind atomic_kind_of(record_key k) {
  return kind_of(k) < record_kind::count
             ? atomic_kind::plain
             : static_cast<atomic_kind>(1 + static_cast<int>(kind_of(k)) - static_cast<int>(record_kind::count));
}
constexpr bool is_fetch(record_key k) { return kind_of(k) == record_kind::fetch || kind_of(k) == record_kind::texel; }

/// Of several lanes that stand at different places the one with the smallest order runs first: the deepest call, then
/// the lowest address. This is how a warp reconverges when the compiler lays out blocks in source order.
constexpr std::uint64_t order_of(record_key k) {
  const std::uint64_t shallow = 255 - (k >> 56);
  return shallow << 56 | (k & 0xffffffff) << 24 | (k >> 48 & 0xff) << 16 | (k >> 32 & 0xffff);
}

struct lane_record {
  record_key key = 0;
  address where = 0;
  std::uint64_t value = 0;  ///< writes: hash of what was stored
};

}  // namespace simtlab::emulator

#include "checks/races/shadow/shadow_states.h"

#include <algorithm>

namespace simtlab::emulator {
namespace {

constexpr wide_word all_threads = (wide_word{1} << 4 * cell::thread_bits) - 1;

constexpr unsigned thread_at(wide_word w, unsigned byte) {
  return static_cast<unsigned>(w >> byte * cell::thread_bits) & ((1U << cell::thread_bits) - 1);
}

/// Every thread is `by` further, modulo 1024.
constexpr wide_word moved(wide_word w, unsigned by) {
  wide_word threads = 0;
  for (unsigned i = 0; i < 4; ++i)
    threads |= wide_word{(thread_at(w, i) + by) & ((1U << cell::thread_bits) - 1)} << i * cell::thread_bits;
  return (w & ~all_threads) | threads;
}

}  // namespace

wide_word shadow_states::wide(const byte_cells& bytes) {
  std::array<std::uint32_t, 4> shapes{};
  wide_word threads = 0;
  for (unsigned i = 0; i < 4; ++i) {
    shapes[i] = cell::shape_of(bytes[i]);
    threads |= wide_word{cell::first_thread(bytes[i])} << i * cell::thread_bits;
  }
  return threads | wide_word{quads_.number_of(shapes)} << 4 * cell::thread_bits;
}

byte_cells shadow_states::bytes_of_wide(wide_word w) const {
  byte_cells bytes{};
  if (w == 0) return bytes;
  const std::array<std::uint32_t, 4>& shapes = quads_[static_cast<std::uint32_t>(w >> 4 * cell::thread_bits)];
  for (unsigned i = 0; i < 4; ++i)
    if (shapes[i] != 0) bytes[i] = cell::of(thread_at(w, i), shapes[i]);
  return bytes;
}

std::optional<packed_word> shadow_states::packed(const byte_cells& bytes) {
  if (std::all_of(bytes.begin(), bytes.end(), [&](shadow_word c) { return c == bytes[0]; })) return bytes[0];
  // The threads of bytes that nobody touched mean nothing, so they may be any.
  const unsigned first =
      cell::first_thread(*std::find_if(bytes.begin(), bytes.end(), [](shadow_word c) { return c != 0; }));
  byte_cells whole = bytes;
  for (shadow_word& c : whole)
    if (c == 0) c = first;
  const wide_word rest = moved(wide(whole), 1024 - first);
  const std::uint32_t number = placed_.size() < most_placed ? placed_.number_of(rest) : placed_.find(rest);
  if (number == 0) return std::nullopt;
  return split | cell::of(first, number);
}

byte_cells shadow_states::bytes(packed_word w) const {
  if (is_cell(w)) return {w, w, w, w};
  return bytes_of_wide(moved(placed_[cell::shape_of(w & ~split)], cell::first_thread(w)));
}

void shadow_states::keep(std::uint32_t generation) {
  generation_ = generation;
  enough_ = std::max(always_enough, 2 * (shapes_.size() + quads_.size()));
}

void shadow_states::clear(std::uint32_t generation) {
  *this = {};
  generation_ = generation;
}

}  // namespace simtlab::emulator

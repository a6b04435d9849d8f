// The shapes of one worker's cells (shadow_word.h), and how the cells of a word's four bytes lie in memory.
//
// A word is one cell while its bytes have the same. Else its cells are told by the shapes of the four, interned, and four threads:
// from the first thread on these are interned, too, while few words differ so (a packed_word of 4 bytes), and later stand
// in the word itself (a wide_word of 8).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "checks/races/shadow/interner.h"
#include "checks/races/shadow/shadow_word.h"
#include "core/mix64.h"

namespace simtlab::emulator {

using byte_cells = std::array<shadow_word, 4>;
/// A cell; or, with the highest bit, the first thread and the number of the rest.
using packed_word = std::uint32_t;
/// Threads in bits 0-39, the number of the shapes above.
using wide_word = std::uint64_t;

/// How cells changed lately: from a shape by an access to a shape, whatever the threads are.
class transition_cache {
 public:
  struct step {
    std::uint64_t from = 0, access = 0;
    barrier_epochs::epoch when = 0;
    std::uint32_t to = 0;  ///< 0: none is known
  };
  /// The place where the step is, if it is known.
  [[nodiscard]] step& at(std::uint64_t from, std::uint64_t access, barrier_epochs::epoch when) {
    return steps_[mix64((from ^ mix64(access)) + when) >> (64 - bits)];
  }
  /// What the access makes of the shape where no time has gone by since; 0 if it is not known. Requests of a loop ask for the same
  /// few steps over and over, which stay in a line of the processor's cache each.
  [[nodiscard]] std::uint32_t known_now(std::uint64_t from, std::uint64_t access) {
    step& last = last_[(access >> 32 ^ from >> 32 ^ from >> 11) % last_.size()];
    if (last.from == from && last.access == access) [[likely]]
      return last.to;
    const step& known = at(from, access, 0);
    if (known.from != from || known.access != access || known.when != 0 || known.to == 0) return 0;
    last = known;
    return last.to;
  }

 private:
  static constexpr unsigned bits = 11;
  std::vector<step> steps_ = std::vector<step>(std::size_t{1} << bits);
  std::array<step, 16> last_{};
};

class shadow_states {
 public:
  [[nodiscard]] std::uint32_t number_of(const shadow_state& s) { return shapes_.number_of(s); }
  [[nodiscard]] const shadow_state& operator[](std::uint32_t number) const { return shapes_[number]; }
  [[nodiscard]] transition_cache& steps() { return steps_; }

  [[nodiscard]] static bool is_cell(packed_word w) { return (w & split) == 0; }
  /// None if the word must be wide.
  [[nodiscard]] std::optional<packed_word> packed(const byte_cells&);
  [[nodiscard]] wide_word wide(const byte_cells&);
  [[nodiscard]] byte_cells bytes(packed_word) const;
  [[nodiscard]] byte_cells bytes_of_wide(wide_word) const;

  [[nodiscard]] std::size_t size() const { return shapes_.size(); }
  /// More are known than it is worth to keep: the ones that no cell has may be many.
  [[nodiscard]] bool is_crowded() const { return shapes_.size() + quads_.size() > enough_; }
  [[nodiscard]] bool is_full() const {
    return shapes_.size() > cell::most_shapes - room_for_request || quads_.size() > most_quads - room_for_request;
  }
  /// All known shapes are cells' own.
  void keep(std::uint32_t generation);
  /// No cell has a shape any more. `generation`: of the sets that shapes name.
  void clear(std::uint32_t generation);
  /// At a barrier, when no cell has a shape: forgets them if they are many.
  void settle() {
    if (is_crowded() || placed_.size() == most_placed) [[unlikely]]
      clear(generation_);
  }
  [[nodiscard]] std::uint32_t generation() const { return generation_; }

 private:
  static constexpr packed_word split = packed_word{1} << 31;
  static constexpr std::size_t most_placed = 4096, most_quads = std::size_t{1} << 24, room_for_request = 4096;
  static constexpr std::size_t always_enough = std::size_t{1} << 16;

  interner<shadow_state> shapes_;
  interner<std::array<std::uint32_t, 4>> quads_;  // numbers of shapes
  interner<wide_word> placed_;                    // threads are those after the first byte's
  transition_cache steps_;
  std::size_t enough_ = always_enough;
  std::uint32_t generation_ = 0;
};

}  // namespace simtlab::emulator

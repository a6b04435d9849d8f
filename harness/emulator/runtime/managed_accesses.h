// Accesses of host code to managed memory, noted while the emulator's memory is closed: opening all of it at each would take
// microseconds, and loops over managed arrays are what managed memory is for. Neighbouring accesses are one stretch. The notes lie
// in pages of their own, which are closed as well, but while one is made: so of long loops that read, samples are noted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/types.h"

namespace simtlab::emulator {

class managed_accesses {
 public:
  struct stretch {
    address begin = 0, end = 0;
    site first = 0;
    bool is_write = false;
    address sampled_to = 0;  ///< behind `end`, the last bytes before multiples of `sample` are read up to here
    [[nodiscard]] address reach() const { return std::max(end, sampled_to); }
  };
  static constexpr std::uint64_t sample = 256, long_loop = 4096;  ///< bytes

  managed_accesses();
  ~managed_accesses() = default;  // its pages stay as long as the process
  managed_accesses(const managed_accesses&) = delete;
  managed_accesses& operator=(const managed_accesses&) = delete;

  /// False when there is no room: `take` makes some. What a recent note tells already is not noted again.
  [[nodiscard]] bool note(address, std::uint64_t bytes, bool is_write, site);
  /// Whether a note tells of an access there.
  [[nodiscard]] bool tells(address) const;

  /// Hands each stretch to `visit`, samples as stretches of their own, and forgets it.
  template <class Visit>
  void take(Visit visit) {
    if (notes_->count == 0) return;
    for (std::size_t i = 0; i < notes_->count; ++i) {
      const stretch& s = notes_->all[i];
      visit(s);
      for (address behind = s.end / sample * sample + sample; behind <= s.sampled_to; behind += sample)
        visit(stretch{behind - 1, behind, s.first});
    }
    open(true);
    notes_->count = 0;
    open(false);
  }

 private:
  struct notes {
    std::size_t count;
    std::array<stretch, 500> all;
  };
  void open(bool);

  notes* const notes_;
};

}  // namespace simtlab::emulator

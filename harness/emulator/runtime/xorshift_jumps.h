// Long jumps in Marsaglia's xorshift generator of 160 bits ("Xorshift RNGs", 2003), the linear part of cuRAND's XORWOW.
#pragma once

#include <array>
#include <cstdint>

namespace simtlab::emulator {

using xorshift_state = std::array<std::uint32_t, 5>;

constexpr void draw_once(xorshift_state& s) {
  const std::uint32_t t = s[0] ^ s[0] >> 2, last = s[4];
  for (std::size_t i = 0; i < 4; ++i) s[i] = s[i + 1];
  s[4] = last ^ last << 4 ^ t ^ t << 1;
}

/// The state `count` times 2^`doublings` steps after `from`. `doublings`: 67 at most.
[[nodiscard]] xorshift_state jumped(const xorshift_state& from, std::uint64_t count, unsigned doublings);

}  // namespace simtlab::emulator

// One step is a linear map A over GF(2), so that n steps are p(A) with p = x^n modulo A's characteristic polynomial, which has
// degree 160. The polynomial is found from the generator's own output (J. Massey, "Shift-Register Synthesis and BCH Decoding",
// 1969); the powers x^(2^i) follow by squaring.
#include "runtime/xorshift_jumps.h"

#include "include/simtlab/emulator_entry.h"

namespace simtlab::emulator {
namespace {

constexpr std::size_t degree = 160, largest_doubling = 67, powers = largest_doubling + 64;

/// A polynomial over GF(2): bit i is the coefficient of x^i.
template <std::size_t Words>
using polynomial = std::array<std::uint32_t, Words>;
using remainder = polynomial<degree / 32>;

template <std::size_t Words>
constexpr bool bit(const polynomial<Words>& p, std::size_t i) {
  return (p[i / 32] >> i % 32 & 1) != 0;
}
template <std::size_t Words>
constexpr void set(polynomial<Words>& p, std::size_t i) {
  p[i / 32] |= std::uint32_t{1} << i % 32;
}
/// `to` plus `p` times x^`by`; what is too high for `to` is 0.
template <std::size_t Words, std::size_t Given>
constexpr void add_shifted(polynomial<Words>& to, const polynomial<Given>& p, std::size_t by) {
  for (std::size_t i = 0; i < Given && i + by / 32 < Words; ++i) {
    to[i + by / 32] ^= p[i] << by % 32;
    if (by % 32 != 0 && i + by / 32 + 1 < Words) to[i + by / 32 + 1] ^= p[i] >> (32 - by % 32);
  }
}

/// What x^160 is modulo the characteristic polynomial, from the shortest linear recurrence of the generator's lowest bit.
constexpr remainder find_modulus() {
  constexpr std::size_t draws = 2 * degree;
  using connection = polynomial<degree / 32 + 1>;
  connection now{1}, before{1}, latest{};  // `latest`: the newest draws, the newest one as bit 0
  std::size_t length = 0, since = 1;
  xorshift_state s{1, 2, 3, 4, 5};
  for (std::size_t n = 0; n < draws; ++n, ++since) {
    draw_once(s);
    connection moved{};
    add_shifted(moved, latest, 1);
    moved[0] |= s[4] & 1;
    latest = moved;
    std::uint32_t parity = 0;
    for (std::size_t i = 0; i < now.size(); ++i) parity ^= now[i] & latest[i];
    for (unsigned half = 16; half > 0; half /= 2) parity ^= parity >> half;
    if ((parity & 1) == 0) continue;
    const connection kept = now;
    add_shifted(now, before, since);
    if (2 * length > n) continue;
    length = n + 1 - length;
    before = kept;
    since = 0;
  }
  remainder modulus{};
  for (std::size_t i = 0; i < degree; ++i) {
    if (bit(now, degree - i)) set(modulus, i);
  }
  return modulus;
}

constexpr std::array<remainder, powers> find_powers() {
  const remainder modulus = find_modulus();
  std::array<remainder, powers> found{{{2}}};
  for (std::size_t p = 1; p < powers; ++p) {
    polynomial<degree / 16> square{};
    for (std::size_t i = 0; i < degree; ++i) {
      if (bit(found[p - 1], i)) set(square, 2 * i);
    }
    for (std::size_t i = 2 * degree - 2; i >= degree; --i) {
      if (bit(square, i)) add_shifted(square, modulus, i - degree);
    }
    for (std::size_t i = 0; i < found[p].size(); ++i) found[p][i] = square[i];
  }
  return found;
}

/// x^(2^i)
#ifdef __clang__  // which computes at compile time for so many steps and no more
const std::array<remainder, powers> power_of_doubling = find_powers();
#else
constexpr std::array<remainder, powers> power_of_doubling = find_powers();
#endif

}  // namespace

xorshift_state jumped(const xorshift_state& from, std::uint64_t count, unsigned doublings) {
  xorshift_state at = from;
  for (std::size_t i = doublings; count != 0; ++i, count >>= 1) {
    if ((count & 1) == 0) continue;
    xorshift_state sum{};
    for (std::size_t k = 0; k < degree; ++k) {
      const std::uint32_t taken = bit(power_of_doubling[i], k) ? ~std::uint32_t{0} : 0;
      for (std::size_t w = 0; w < sum.size(); ++w) sum[w] ^= at[w] & taken;
      draw_once(at);
    }
    at = sum;
  }
  return at;
}

}  // namespace simtlab::emulator

extern "C" simtlab_xorshift simtlab_jump_xorshift(simtlab_xorshift from, uint64_t count, unsigned doublings) {
  const auto to = simtlab::emulator::jumped({from.word[0], from.word[1], from.word[2], from.word[3], from.word[4]},
                                            count, doublings);
  return {{to[0], to[1], to[2], to[3], to[4]}};
}

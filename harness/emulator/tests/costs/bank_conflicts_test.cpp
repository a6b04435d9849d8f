#include "costs/bank_conflicts.h"

#include <doctest/doctest.h>

#include <functional>
#include <numeric>

#include "costs/request_costs.h"
#include "request_builder.h"

namespace simtlab::emulator::testing {

namespace {

request_counters shared_cost(access kind, std::uint32_t width,
                             const std::function<std::optional<address>(unsigned)>& at) {
  request_builder b(memory_space::shared, kind);
  b.width(width).lanes(at);
  request_counters cost;
  add_bank_conflicts(b.get(), packed_lanes(b.get()), cost);
  return cost;
}

}  // namespace

TEST_CASE("a stride of s words takes gcd(s, 32) wavefronts") {
  for (unsigned s = 1; s <= 40; ++s) {
    CAPTURE(s);
    const auto c = shared_cost(access::read, 4, [=](unsigned l) { return 4 * s * l; });
    CHECK(c.wavefronts == std::gcd(s, 32U));
    CHECK(c.largest_wavefronts == c.wavefronts);
    CHECK(c.ideal_wavefronts == 1);
  }
}

TEST_CASE("one word for all lanes is a broadcast") {
  CHECK(shared_cost(access::read, 4, [](unsigned) { return 128; }).wavefronts == 1);
}

TEST_CASE("columns of a 32-wide tile cost 32 wavefronts, with one padding column 1") {
  CHECK(shared_cost(access::read, 4, [](unsigned l) { return 4 * 32 * l; }).wavefronts == 32);
  CHECK(shared_cost(access::read, 4, [](unsigned l) { return 4 * 33 * l; }).wavefronts == 1);
}

TEST_CASE("columns of a 16-wide tile read by two rows of threads cost 8 wavefronts, padded 2") {
  // threads (x, y) of a 16 x 16 block read tile[x][y]
  CHECK(shared_cost(access::read, 4, [](unsigned l) { return 4 * (l % 16 * 16 + l / 16); }).wavefronts == 8);
  CHECK(shared_cost(access::read, 4, [](unsigned l) { return 4 * (l % 16 * 17 + l / 16); }).wavefronts == 2);
}

TEST_CASE("bytes of one word do not conflict") {
  CHECK(shared_cost(access::write, 1, [](unsigned l) { return l; }).wavefronts == 1);
}

TEST_CASE("linear float4 needs 4 wavefronts and has no conflict") {
  const auto c = shared_cost(access::read, 16, [](unsigned l) { return 16 * l; });
  CHECK(c.wavefronts == 4);
  CHECK(c.ideal_wavefronts == 4);
}

TEST_CASE("the minimum counts groups with an active lane, and is never above the cost") {
  const auto few =
      shared_cost(access::write, 16, [](unsigned l) { return l < 8 ? std::optional(16 * l) : std::nullopt; });
  CHECK(few.wavefronts == 1);
  CHECK(few.ideal_wavefronts == 1);
  const auto broadcast = shared_cost(access::read, 8, [](unsigned) { return 0; });
  CHECK(broadcast.wavefronts == 1);
  CHECK(broadcast.ideal_wavefronts == 1);
}

TEST_CASE("a copy wider than 16 bytes is a row of its widest pieces") {
  const auto twelve = shared_cost(access::read, 12, [](unsigned l) { return 12 * l; });
  CHECK(twelve.wavefronts == 3);  // three words, stride three each
  const auto sixty_four =
      shared_cost(access::read, 64, [](unsigned l) { return l == 0 ? std::optional(0U) : std::nullopt; });
  CHECK(sixty_four.wavefronts == 4);
}

TEST_CASE("an atomic operation that is no counting takes its lanes in turns, bank by bank") {
  const auto wavefronts = [](atomic_kind kind, auto&& word) {
    request_builder b(memory_space::shared, access::atomic);
    return cost_of(b.atomic(kind).lanes([&](unsigned l) { return 4 * word(l); }).get()).wavefronts;
  };
  const auto together = [](unsigned) { return 3U; };
  const auto pairs = [](unsigned l) { return l / 2; };
  const auto four_of_a_bank = [](unsigned l) { return l % 4 * 32; };
  const auto linear = [](unsigned l) { return l; };
  CHECK(wavefronts(atomic_kind::count, together) == 1);
  CHECK(wavefronts(atomic_kind::plain, together) == 32);
  CHECK(wavefronts(atomic_kind::count, pairs) == 1);
  CHECK(wavefronts(atomic_kind::plain, pairs) == 2);
  CHECK(wavefronts(atomic_kind::count, four_of_a_bank) == 4);
  CHECK(wavefronts(atomic_kind::plain, four_of_a_bank) == 32);
  CHECK(wavefronts(atomic_kind::plain, linear) == 1);
  CHECK(wavefronts(atomic_kind::swap, linear) == 2);
  CHECK(wavefronts(atomic_kind::swap, four_of_a_bank) == 64);
  CHECK(wavefronts(atomic_kind::spin, four_of_a_bank) == 2);  // for one lane, the others try again
}

// Figures of an H200, of atomicExch, atomicCAS and atomicAdd of 64 bits.
TEST_CASE("of 64 bits a half-warp goes by itself, but a loop of swaps lets no two lanes of one word through at once") {
  struct pattern {
    std::function<unsigned(unsigned)> element;
    unsigned exchange, swap, loop;
  };
  const pattern measured[] = {
      {[](unsigned l) { return l; }, 2, 4, 4},
      {[](unsigned) { return 5U; }, 32, 64, 96},
      {[](unsigned l) { return l / 2; }, 4, 8, 8},
      {[](unsigned l) { return l % 4 * 32; }, 32, 64, 66},
      {[](unsigned l) { return l % 16 + l / 16 * 32; }, 2, 4, 4},
  };
  for (const pattern& p : measured) {
    const auto wavefronts = [&](atomic_kind kind) {
      request_builder b(memory_space::shared, access::atomic);
      return cost_of(b.width(8).atomic(kind).lanes([&](unsigned l) { return 8 * p.element(l); }).get()).wavefronts;
    };
    CHECK(wavefronts(atomic_kind::plain) == p.exchange);
    CHECK(wavefronts(atomic_kind::swap) == p.swap);
    CHECK(wavefronts(atomic_kind::loop) == p.loop);
    CHECK(wavefronts(atomic_kind::spin) == 4);
  }
}

}  // namespace simtlab::emulator::testing

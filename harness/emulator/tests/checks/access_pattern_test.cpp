// The words of a request, against each lane's.
#include "checks/access_pattern.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "request_builder.h"

namespace simtlab::emulator::testing {
namespace {

/// Lanes by the distance of the word that they touch.
using lanes_of_words = std::map<std::int64_t, lane_mask>;

lanes_of_words words_of(const warp_request& r) {
  lanes_of_words words;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((r.active >> lane & 1) == 0) continue;
    for (unsigned offset = 0; offset < r.width; offset += 4)
      words[static_cast<std::int64_t>(r.addresses[lane] + offset - first_address(r))] |= lane_mask{1} << lane;
  }
  return words;
}

}  // namespace

TEST_CASE("rows of words tell each word that a request touches once, with its lanes") {
  std::mt19937 random(5);
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  int joined = 0;
  for (int round = 0; round < 5000; ++round) {
    CAPTURE(round);
    const unsigned widths[] = {4, 4, 8, 16, 12};
    const unsigned width = widths[below(5)], stride = below(3), modulus = 1U << below(6), chance = below(3);
    const unsigned shift = below(4) == 0 ? 4 : 0;  // may leave wide accesses misaligned
    request_builder b(memory_space::shared, access::read);
    b.width(width).lanes([&](unsigned lane) -> std::optional<address> {
      if (lane != 7 && chance == 0 && below(3) == 0) return std::nullopt;
      const unsigned place = chance == 1 && below(8) == 0 ? below(32) : lane % modulus * stride;
      return 4096 + shift + place * width;
    });
    const warp_request& r = b.get();
    access_pattern p;
    p.set(r);
    REQUIRE(p.whole_words);
    lanes_of_words told;
    for (const word_run& row : p.rows) {
      joined += row.words > 1U << row.shift;
      for (unsigned i = 0; i < row.words; ++i) {
        const bool is_new = told.emplace(row.distance + 4 * i, row.lanes_of(i)).second;
        CHECK(is_new);
      }
    }
    CHECK(told == words_of(r));
    CHECK(p.dense == (static_cast<std::int64_t>(4 * told.size()) == p.high - p.low));
  }
  CHECK(joined > 1000);
}

TEST_CASE("lanes of two rows of a tile that read the same words are one row of words") {
  request_builder b(memory_space::shared, access::read);
  access_pattern p;
  p.set(b.lanes([](unsigned lane) { return 4 * (lane % 16); }).get());
  REQUIRE(p.rows.size() == 1);
  CHECK(p.rows[0].words == 16);
  CHECK(p.rows[0].lanes == 0x1'0001);
}

}  // namespace simtlab::emulator::testing

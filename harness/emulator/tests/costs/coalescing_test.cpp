#include "costs/coalescing.h"

#include <doctest/doctest.h>

#include "request_builder.h"

namespace simtlab::emulator::testing {

namespace {

constexpr address base = 0x7000'0000'0000;

request_counters read_cost(std::uint32_t width, const std::function<std::optional<address>(unsigned)>& offset) {
  request_builder b(memory_space::global, access::read);
  b.width(width).lanes([&](unsigned l) {
    const auto o = offset(l);
    return o ? std::optional(base + *o) : std::nullopt;
  });
  request_counters cost;
  add_coalescing(b.get(), packed_lanes(b.get()), cost);
  return cost;
}

}  // namespace

TEST_CASE("aligned consecutive words: 4 sectors in 1 line, whatever the order of the lanes") {
  for (const unsigned flip : {0U, 1U, 31U, 13U}) {
    const auto c = read_cost(4, [=](unsigned l) { return 4 * (l ^ flip); });
    CHECK(c.sectors == 4);
    CHECK(c.ideal_sectors == 4);
    CHECK(c.lines == 1);
  }
}

TEST_CASE("consecutive words shifted by one: 5 sectors where 4 would do, 2 lines") {
  const auto c = read_cost(4, [](unsigned l) { return 4 * l + 4; });
  CHECK(c.sectors == 5);
  CHECK(c.ideal_sectors == 4);
  CHECK(c.lines == 2);
}

TEST_CASE("one address for all lanes: 1 sector, 1 line") {
  const auto c = read_cost(4, [](unsigned) { return 64; });
  CHECK(c.sectors == 1);
  CHECK(c.ideal_sectors == 1);
  CHECK(c.lines == 1);
}

TEST_CASE("strides: 8 words touch 32 sectors in 8 lines, 32 words 32 sectors in 32 lines") {
  const auto eight = read_cost(4, [](unsigned l) { return 32 * l; });
  CHECK(eight.sectors == 32);
  CHECK(eight.lines == 8);
  const auto thirty_two = read_cost(4, [](unsigned l) { return 128 * l; });
  CHECK(thirty_two.sectors == 32);
  CHECK(thirty_two.lines == 32);
  CHECK(thirty_two.ideal_sectors == 4);
}

TEST_CASE("one field of a structure of two floats: 8 sectors, half of their bytes useful") {
  const auto c = read_cost(4, [](unsigned l) { return 8 * l; });
  CHECK(c.sectors == 8);
  CHECK(c.ideal_sectors == 4);
}

TEST_CASE("vector and byte accesses reach full efficiency too") {
  const auto wide = read_cost(16, [](unsigned l) { return 16 * l; });
  CHECK(wide.sectors == 16);
  CHECK(wide.ideal_sectors == 16);
  const auto bytes = read_cost(1, [](unsigned l) { return l; });
  CHECK(bytes.sectors == 1);
  CHECK(bytes.ideal_sectors == 1);
}

TEST_CASE("inactive lanes cost nothing") {
  const auto c = read_cost(4, [](unsigned l) { return l < 8 ? std::optional<address>(4 * l) : std::nullopt; });
  CHECK(c.sectors == 1);
  CHECK(c.ideal_sectors == 1);
}

TEST_CASE("a range that crosses a sector counts both, overlapping ranges count once") {
  const auto crossing = read_cost(8, [](unsigned l) { return l == 0 ? std::optional<address>(28) : std::nullopt; });
  CHECK(crossing.sectors == 2);
  CHECK(crossing.ideal_sectors == 1);
  const auto overlapping = read_cost(64, [](unsigned l) { return 32 * l; });
  CHECK(overlapping.sectors == 33);
  CHECK(overlapping.ideal_sectors == 33);
}

TEST_CASE("an atomic's lanes at one address are served one after the other") {
  request_builder b(memory_space::global, access::atomic);
  b.lanes([](unsigned l) { return base + 4 * (l % 16); });
  request_counters cost;
  add_coalescing(b.get(), packed_lanes(b.get()), cost);
  CHECK(cost.sectors == 4);  // two lanes per address in each of two sectors
  CHECK(cost.ideal_sectors == 2);
}

}  // namespace simtlab::emulator::testing

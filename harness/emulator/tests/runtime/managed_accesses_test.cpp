#include "runtime/managed_accesses.h"

#include <doctest/doctest.h>

#include <vector>

using namespace simtlab::emulator;

namespace {

std::vector<managed_accesses::stretch> taken(managed_accesses& all) {
  std::vector<managed_accesses::stretch> found;
  all.take([&](const managed_accesses::stretch& s) { found.push_back(s); });
  return found;
}

}  // namespace

TEST_CASE("a loop over several arrays is one stretch of each") {
  managed_accesses all;
  for (address i = 0; i < 1000; ++i) {
    REQUIRE(all.note(4096 + 4 * i, 4, false, 1));
    REQUIRE(all.note(65536 + 8 * i, 8, true, 2));
  }
  CHECK(all.tells(4096 + 3999));
  CHECK(!all.tells(4096 + 4000));
  const auto found = taken(all);
  REQUIRE(found.size() == 2);
  CHECK((found[0].begin == 4096 && found[0].end == 8096 && found[0].first == 1 && !found[0].is_write));
  CHECK((found[1].begin == 65536 && found[1].end == 73536 && found[1].first == 2 && found[1].is_write));
  CHECK(taken(all).empty());
  CHECK(!all.tells(4096));
}

TEST_CASE("what was told is not told again; a write where a read was told is") {
  managed_accesses all;
  for (int i = 0; i < 3; ++i) REQUIRE(all.note(100, 4, false, 1));
  REQUIRE(all.note(100, 4, true, 2));
  REQUIRE(all.note(101, 2, false, 3));
  CHECK(taken(all).size() == 2);
}

TEST_CASE(
    "of a long loop that reads, the last byte before each multiple of the sample is told, of one that writes all") {
  managed_accesses all;
  const address begin = 65536 + 8, end = begin + 10000;  // ends between two samples
  for (address a = begin; a < end; a += 4) {
    REQUIRE(all.note(a, 4, false, 1));
    REQUIRE(all.note(a + 65536, 4, true, 2));
  }
  const auto found = taken(all);
  const address exact = begin + managed_accesses::long_loop, sample = managed_accesses::sample;
  REQUIRE(found.size() == 2 + (end / sample - exact / sample));
  CHECK((found[0].begin == begin && found[0].end == exact));
  for (std::size_t i = 1; i + 1 < found.size(); ++i) {
    CHECK(found[i].end == (exact / sample + i) * sample);
    CHECK(found[i].begin == found[i].end - 1);
    CHECK(!found[i].is_write);
  }
  CHECK((found.back().begin == begin + 65536 && found.back().end == end + 65536));
}

TEST_CASE("what lies a sample behind a long loop or further begins anew") {
  managed_accesses all;
  for (address a = 0; a < 8192; a += 4) REQUIRE(all.note(65536 + a, 4, false, 1));
  REQUIRE(all.note(65536 + 8192 + managed_accesses::sample, 4, false, 2));
  const auto found = taken(all);
  CHECK(found.back().begin == 65536 + 8192 + managed_accesses::sample);
  CHECK(found.back().first == 2);
}

TEST_CASE("accesses all over the place need room, which taking them makes") {
  managed_accesses all;
  address noted = 0;
  while (all.note(noted * 1000, 4, true, 1)) ++noted;
  CHECK(noted >= 100);
  CHECK(taken(all).size() == noted);
  CHECK(all.note(noted * 1000, 4, true, 1));
}

// One finding for each cause, on random orders of what was found.
#include "judge/decide/finding_group.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace simtlab;

namespace finding_group_test {  // other tests have helpers of the same names

namespace {

finding found(const std::string& rule, const std::string& variable, int line, const std::string& message,
              const std::string& action = "reads") {
  finding f;
  f.rule = rule;
  f.level = severity::error;
  f.kernel = "k";
  f.variable = variable;
  f.message = message;
  f.first = {"kernel.cu", line, {}, {}, action};
  return f;
}

}  // namespace

TEST_CASE("arrays of one statement are one finding, others are not") {
  const auto groups = grouped_findings({found("out-of-bounds", "a", 11, "a has 1 element"),
                                        found("out-of-bounds", "b", 11, "b has 1 element"),
                                        found("out-of-bounds", "c", 12, "c has 7 elements")});
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].variables == std::vector<std::string>{"a", "b"});
  CHECK(groups[0].first.times == 2);
  CHECK(groups[0].places.size() == 1);
}

TEST_CASE("a leak comes last: it explains no value") {
  finding leak = found("leak", "d_a", 9, "never freed"), unset = found("invalid-address", "", 12, "no device memory");
  leak.kernel = unset.kernel = "";
  const auto groups = grouped_findings({leak, unset});
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].first.rule == "invalid-address");
}

TEST_CASE("both tiles of a missing barrier are one finding with every line") {
  finding a = found("shared-race", "tile_a", 33, "race"), b = found("shared-race", "tile_b", 33, "race");
  a.second = finding_place{"kernel.cu", 29, {}, {}, "writes"};
  b.second = finding_place{"kernel.cu", 30, {}, {}, "writes"};
  const auto groups = grouped_findings({a, b});
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].places.size() == 3);
}

TEST_CASE("races that share a line are one, though each message names its own lines; others are not") {
  finding a = found("shared-race", "tile_a", 33, "missing before line 29");
  finding b = found("shared-race", "tile_b", 33, "missing before line 30");
  CHECK(grouped_findings({a, b}).size() == 1);
  b.first.line = 50;
  CHECK(grouped_findings({a, b}).size() == 2);
}

TEST_CASE("what follows from a cause is named behind it, in whatever order it was found") {
  std::vector<finding> all{found("exited-before-barrier", "", 31, "1 thread of 256"),
                           found("exited-before-barrier", "", 35, "1 thread of 256"),
                           found("uninitialised-shared", "tile_a", 33, "no thread has written"),
                           found("uninitialised-shared", "tile_b", 33, "no thread has written")};
  std::mt19937 random(16);
  for (int round = 0; round < 24; ++round) {
    std::ranges::shuffle(all, random);
    const auto groups = grouped_findings(all);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].first.rule == "exited-before-barrier");
    CHECK(groups[0].places.size() == 2);
    CHECK(groups[0].followed_by.size() == 2);
  }
}

TEST_CASE("a store outside explains the race of its array, not that of another, and a read outside explains none") {
  const auto of = [](const std::string& action, const std::string& raced) {
    return grouped_findings({found("global-race", raced, 40, "two blocks", "writes"),
                             found("out-of-bounds", "c", 40, "c has 1 element", action)});
  };
  CHECK(of("writes c[9]", "c").size() == 1);
  CHECK(of("writes c[9]", "d").size() == 2);
  CHECK(of("reads c[9]", "c").size() == 2);
}

TEST_CASE("a warning never hides an error, nor the finding of one kernel that of another") {
  std::vector<finding> all{found("exited-before-barrier", "", 31, "m"), found("uninitialised-shared", "t", 33, "n")};
  all[0].level = severity::warning;
  CHECK(grouped_findings(all).size() == 2);
  all[0].level = severity::error;
  all[1].kernel = "other";
  CHECK(grouped_findings(all).size() == 2);
}

TEST_CASE("a pointer of the host is one finding, whatever arrays the line uses") {
  const auto of = [](const std::string& name) {
    return found("device-access-to-host", name, 11, "The pointer " + name + " belongs to host memory");
  };
  const auto groups = grouped_findings({of("a"), of("b"), of("c")});
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].variables == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("an allocation that leaks is one finding, whatever its size and name in each case") {
  finding named = found("leak", "c", 27, "4 bytes"), unnamed = found("leak", "", 27, "1200 bytes"),
          other = found("leak", "", 28, "4 bytes");
  for (finding* f : {&named, &unnamed, &other}) f->kernel.clear();
  CHECK(grouped_findings({named, unnamed, other}).size() == 2);
}

TEST_CASE("what lies behind an index beyond a row's length follows from it") {
  const auto groups =
      grouped_findings({found("out-of-bounds", "", 33, "Index 16 lies outside the array's declared type 'float [16]'."),
                        found("out-of-bounds", "tile_b", 33, "tile_b has 256 elements"),
                        found("device-access-to-host", "", 33, "The pointer belongs to host memory"),
                        found("out-of-bounds", "c", 40, "c has 7 elements")});
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].followed_by.size() == 2);
}

}  // namespace finding_group_test

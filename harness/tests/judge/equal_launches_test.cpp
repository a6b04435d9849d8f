// Launches that are told in one.
#include "judge/score/equal_launches.h"

#include <doctest/doctest.h>

using namespace simtlab;

TEST_CASE("launches of one kernel and configuration are one, in the order of the first of each") {
  launch_counters step;
  step.kernel = "step";
  step.barriers = 2;
  step.accesses.resize(1);
  launch_counters wider = step, other = step;
  wider.block = {64, 1, 1};
  other.kernel = "other";
  other.times = 3;
  other.completed = false;
  const auto folded = folded_launches({step, other, wider, step, other, step});
  REQUIRE(folded.size() == 3);
  CHECK(folded[0].kernel == "step");
  CHECK(folded[0].times == 3);
  CHECK(folded[0].barriers == 6);
  CHECK(folded[0].accesses.empty());
  CHECK(folded[1].kernel == "other");
  CHECK(folded[1].times == 6);
  CHECK_FALSE(folded[1].completed);
  CHECK(folded[2].block[0] == 64);
  CHECK(folded_launches({}).empty());
}

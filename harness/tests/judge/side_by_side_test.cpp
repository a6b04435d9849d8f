// How much of the work is done side by side: lanes that stand idle, and warps that have nothing to do.
#include "judge/score/side_by_side.h"

#include <doctest/doctest.h>

#include <vector>

#include "judge/score/share_of_work.h"

using namespace simtlab;

namespace side_by_side_test {  // other tests have helpers of the same names

namespace {

constexpr std::uint64_t elements = 65536;

// Reads each element once, with so many active lanes in each request, by a grid of so many warps.
launch_counters reads_all(std::uint64_t active_lanes, std::uint64_t warps) {
  access_counters a;
  a.space = "global";
  a.access = "read";
  a.variable = "a";
  a.array = {1, true};
  a.width = 4;
  a.lanes = elements;
  a.requests = elements / active_lanes;
  a.bytes = 4 * elements;
  a.sectors = a.ideal_sectors = elements / 8;
  launch_counters l;
  l.grid = {warps, 1, 1};
  l.block = {32, 1, 1};
  l.accesses = {a};
  return l;
}

share_of_work done(const launch_counters& l) {
  measurements m;
  m.launches = {l};
  return side_by_side(
      {.measured = m,
       .model = {.bytes_read = 4.0 * elements, .operations = elements},
       .arguments = {{"a", argument_role::input, 4.0 * elements, 4}, {"sum", argument_role::output, 4, 4}}});
}

}  // namespace

TEST_CASE("full requests of many warps are side by side") {
  CHECK(done(reads_all(32, 64)).share == 1);
  CHECK(done(reads_all(32, 64)).missing == "");
}

TEST_CASE("a tree of partial sums idles half of its lanes, and loses nothing") {
  CHECK(done(reads_all(16, 64)).share == 1);
  CHECK(done(reads_all(8, 64)).share == doctest::Approx(0.5));
}

TEST_CASE("one lane of each request earns its share") {
  const share_of_work by_one_lane = done(reads_all(1, 64));
  CHECK(by_one_lane.share == doctest::Approx(2.0 / 32));
  CHECK(by_one_lane.missing == "of the work 94 % is done by warps whose other lanes stand idle");
}

TEST_CASE("a warp may work on 16,384 elements, and fewer warps than that leave the GPU idle") {
  CHECK(done(reads_all(32, 4)).share == 1);
  const share_of_work by_one_warp = done(reads_all(32, 1));
  CHECK(by_one_warp.share == 0.25);
  CHECK(by_one_warp.missing == "few warps do all of the work, which leaves 75 % of a GPU's smallest part idle");
}

TEST_CASE("shares multiply, and the words are those of the first that lacks something") {
  share_of_work work;
  work *= {0.5, "half is missing"};
  work *= {0.5, "another half is missing"};
  CHECK(work.share == 0.25);
  CHECK(work.missing == "half is missing");
}

}  // namespace side_by_side_test

// Resident warps of launches, and the criteria of an occupancy lab: each expectation is worked out by hand.
#include "judge/score/residency.h"

#include <doctest/doctest.h>

#include "judge/score/criteria.h"

using namespace simtlab;

namespace {

launch_counters launch(std::uint64_t blocks, std::uint64_t threads, std::uint64_t shared = 0) {
  launch_counters l;
  l.kernel = "tally";
  l.grid = {blocks, 1, 1}, l.block = {threads, 1, 1};
  l.shared_bytes = shared;
  access_counters a;
  a.space = "global", a.access = "read", a.variable = "symbols", a.array = {1, true};
  a.requests = 8, a.lanes = 256, a.bytes = 256, a.sectors = a.ideal_sectors = 8;
  l.accesses = {a};
  return l;
}

double warps(const std::vector<launch_counters>& launches, const char* gpu = "rtx3090") {
  measurements m;
  m.launches = launches;
  return fewest_resident_warps(m, gpu).warps.value_or(-1);
}

evaluated_criterion read(const measurable& metric, double full, double none, const measurements& m) {
  static std::vector<criterion> criteria;
  criteria = {{metric, full_at(full), none_at(none), "hint"}};
  return evaluate(criteria, criterion_input{m, work{.bytes_read = 256, .bytes_written = 0, .operations = 256}, 0})
      .front();
}

}  // namespace

TEST_CASE("warps on a multiprocessor follow from threads and shared memory of a block") {
  CHECK(warps({launch(1000, 256)}) == 48);             // 1,536 / 256 = 6 blocks of 8 warps
  CHECK(warps({launch(1000, 1024)}) == 32);            // one block
  CHECK(warps({launch(1000, 64)}) == 32);              // 16 blocks of 2 warps, whatever else is free
  CHECK(warps({launch(1000, 256, 16 * 1024)}) == 40);  // 100 KB / 17 KB = 5 blocks of 8 warps
  CHECK(warps({launch(1000, 256, 16 * 1024)}, "h200") == 64);
}

TEST_CASE("the launch with the fewest decides; one that touches no global memory counts for nothing") {
  CHECK(warps({launch(1000, 256), launch(1000, 32)}) == 16);
  launch_counters empty = launch(1, 32);
  empty.accesses.clear();
  CHECK(warps({launch(1000, 256), empty}) == 48);
  CHECK(warps({empty}) == -1);
}

TEST_CASE("a grid has no more warps than it has, and idle ones are of no use") {
  CHECK(warps({launch(2, 256)}) == 16);
  launch_counters idle = launch(1000, 256);
  idle.working_warps = 1000;  // one of eight
  CHECK(warps({idle}) == 6);
}

TEST_CASE("what limits a launch is said, and a GPU that nobody knows measures nothing") {
  measurements m;
  m.launches = {launch(1000, 1024)};
  const evaluated_criterion large = read(metric::resident_warps("rtx3090"), 48, 16, m);
  CHECK(large.fraction == 0.5);
  CHECK(large.reason ==
        "tally: 1 block fits on a multiprocessor of NVIDIA GeForce RTX 3090, 32 of 48 warps, limited by threads");
  CHECK_FALSE(read(metric::resident_warps("abacus"), 48, 16, m).measured);
}

TEST_CASE("local bytes are those of requests with different indices, and what is kept in global memory instead") {
  measurements m;
  m.launches = {launch(8, 32)};
  CHECK(read(metric::local_bytes_per_operation, 0, 4, m).value == 0);
  access_counters local;
  local.space = "local", local.access = "write", local.line = 12;
  local.requests = 16, local.lanes = 512, local.bytes = 2048, local.indexed_bytes = 512;
  m.launches[0].accesses.push_back(local);
  const evaluated_criterion indexed = read(metric::local_bytes_per_operation, 0, 4, m);
  CHECK(indexed.value == 2);  // 512 bytes, 256 operations
  REQUIRE(indexed.where);
  CHECK(indexed.where->line == 12);
  m.launches[0].accesses.pop_back();
  access_counters scratch = m.launches[0].accesses[0];
  scratch.variable = "scratch", scratch.array = {2, false}, scratch.bytes = 1536;
  m.launches[0].accesses.push_back(scratch);
  CHECK(read(metric::local_bytes_per_operation, 0, 4, m).value == 4);  // 1,792 bytes - 3 x 256
}

// What a launch pays to hand values on through shared memory, and what of it is free.
#include "judge/score/shared_passes.h"

#include <doctest/doctest.h>

#include <string>

using namespace simtlab;

namespace {

constexpr std::uint64_t blocks = 4, threads = 256, items_of_a_thread = 8;
constexpr double items = blocks * threads * items_of_a_thread;

access_counters shared(const std::string& variable, const char* kind, std::uint64_t lanes,
                       std::uint64_t wavefronts = 0) {
  access_counters a;
  a.space = "shared";
  a.access = kind;
  a.variable = variable;
  a.width = 4;
  a.lanes = lanes;
  a.bytes = 4 * lanes;
  a.requests = a.ideal_wavefronts = lanes / 32;
  a.wavefronts = wavefronts == 0 ? a.requests : wavefronts;
  return a;
}

// Striped to blocked and back, and warps that leave their sums.
launch_counters exchange() {
  launch_counters l;
  l.grid = {blocks, 1, 1};
  l.block = {threads, 1, 1};
  l.shared_bytes = 4 * threads * items_of_a_thread + 32;
  l.barriers = 3 * blocks;
  l.warp_value_primitives = 88 * blocks;
  const auto all = static_cast<std::uint64_t>(items);
  l.accesses = {shared("tile", "write", 2 * all), shared("tile", "read", 2 * all),
                shared("sums", "write", 32 * blocks)};
  return l;
}

}  // namespace

TEST_CASE("an array that items only go through is free") { CHECK(shared_passes(exchange(), items) == blocks); }

TEST_CASE("its bank conflicts are not") {
  launch_counters l = exchange();
  l.accesses[1].wavefronts += 100;
  CHECK(shared_passes(l, items) == blocks + 100);
}

TEST_CASE("what goes to and fro more often pays for the rest") {
  launch_counters l = exchange();
  for (int i : {0, 1}) l.accesses[i] = shared("tile", i == 0 ? "write" : "read", 3 * static_cast<std::uint64_t>(items));
  CHECK(shared_passes(l, items) == blocks + 2 * items / 32);
}

TEST_CASE("a tree of steps in shared memory pays for all of it") {
  const double all = 4 * items / 32 + blocks;
  launch_counters l = exchange();
  SUBCASE("its threads read more than they store") {
    l.accesses[1] = shared("tile", "read", 3 * static_cast<std::uint64_t>(items));
    CHECK(shared_passes(l, items) == all + items / 32);
  }
  SUBCASE("barriers stand between its steps") {
    l.barriers = 16 * blocks;
    CHECK(shared_passes(l, items) == all);
  }
  SUBCASE("its array has room for a value a thread") {
    l.shared_bytes = 4 * threads;
    CHECK(shared_passes(l, items) == all);
  }
  SUBCASE("no warp exchanges anything") {
    l.warp_value_primitives = blocks;
    CHECK(shared_passes(l, items) == all);
  }
  SUBCASE("its threads have one item each") {
    l.grid[0] *= items_of_a_thread;
    CHECK(shared_passes(l, items) == all);
  }
  SUBCASE("it adds there") {
    l.accesses[0].access = "atomic";
    CHECK(shared_passes(l, items) == all);
  }
}

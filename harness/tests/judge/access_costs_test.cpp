// What the accesses of one line cost beyond the fewest, in sectors and in lanes that wait.
#include "judge/score/access_costs.h"

#include <doctest/doctest.h>

using namespace simtlab;

namespace access_costs_test {  // other tests have helpers of the same names

namespace {

access_counters access(const char* space, const char* kind) {
  access_counters a;
  a.space = space;
  a.access = kind;
  a.width = 4;
  a.requests = 2;
  a.lanes = 64;
  a.bytes = 256;
  a.sectors = 20;
  a.ideal_sectors = 8;
  a.distinct_words = 7;
  a.same_address_lanes = 2;
  return a;
}

}  // namespace

TEST_CASE("wasted are sectors beyond the fewest; of constant memory words beyond a request's first") {
  CHECK(wasted_sectors(access("global", "read")) == 12);
  CHECK(wasted_passes(access("global", "read")) == 12);
  CHECK(wasted_passes(access("constant", "read")) == 5);
  access_counters fewer = access("global", "read");
  fewer.sectors = 4;  // lanes that share bytes
  CHECK(wasted_sectors(fewer) == 0);
}

TEST_CASE("a texture fetch moves its bytes at least") {
  access_counters fetch = access("texture", "read");
  fetch.sectors = 4;
  CHECK(moved_bytes(fetch) == 256);
  fetch.space = "global";
  CHECK(moved_bytes(fetch) == 128);
  CHECK(sectors_asked_for(fetch) == 8);
}

TEST_CASE("lanes that store to one address do the work of one") {
  access_counters store = access("global", "write");
  CHECK(idle_lanes(store) == 0);
  store.ideal_sectors = 1;  // 8 elements
  CHECK(working_lanes(store) == 8);
  CHECK(idle_lanes(store) == 56);
  store.access = "read";  // all lanes need the value
  CHECK(idle_lanes(store) == 0);
}

TEST_CASE("lanes of an atomic operation wait in each turn but their own") {
  access_counters atomic = access("global", "atomic");
  CHECK(waiting_lanes(atomic) == 0);
  atomic.same_address_lanes = 64;  // all of both requests meet
  CHECK(waiting_lanes(atomic) == 32 * 64 - 64);
}

TEST_CASE("a copy inside the device is a read of one array and a store to the other") {
  const device_copies copy{{1, true}, {2, false}, "a", "scratch", 100, 6, 4};
  const access_counters read = reads_of(copy), stored = stores_of(copy);
  CHECK(read.access == "read");
  CHECK(read.variable == "a");
  CHECK(read.array == copy.from);
  CHECK(wasted_sectors(read) == 2);
  CHECK(stored.access == "write");
  CHECK(stored.variable == "scratch");
  CHECK(stored.array == copy.to);
  CHECK(wasted_sectors(stored) == 0);
}

}  // namespace access_costs_test

// Passes of warps at memory, whatever the memory is.
#include "judge/score/memory_passes.h"

#include <doctest/doctest.h>

using namespace simtlab;

namespace {

access_counters request(const char* space, std::uint64_t sectors, std::uint64_t wavefronts) {
  access_counters a;
  a.space = space;
  a.access = "read";
  a.requests = 2;
  a.sectors = sectors;
  a.wavefronts = wavefronts;
  return a;
}

}  // namespace

TEST_CASE("a shared request takes its wavefronts") { CHECK(memory_passes(request("shared", 0, 8)) == 8); }

TEST_CASE("a global request takes one pass, or one for four sectors") {
  CHECK(memory_passes(request("global", 2, 0)) == 2);
  CHECK(memory_passes(request("global", 8, 0)) == 2);
  CHECK(memory_passes(request("global", 64, 0)) == 16);
}

TEST_CASE("an array of a thread's own is taken for registers") { CHECK(memory_passes(request("local", 8, 0)) == 0); }

TEST_CASE("a constant request takes one pass for each word") {
  access_counters a = request("constant", 0, 0);
  a.distinct_words = 64;
  CHECK(memory_passes(a) == 64);
}

TEST_CASE("a value from another lane takes one pass") {
  launch_counters l;
  l.accesses = {request("global", 8, 0), request("shared", 0, 3)};
  l.warp_value_primitives = 5;
  CHECK(memory_passes(l) == 10);
}

// The accesses of a source line, worked out once for the facts, the terminal and the pages.
#include "judge/score/line_counters.h"

#include <doctest/doctest.h>

using namespace simtlab;

namespace {

access_counters access(int line, const char* space, const char* kind, const char* variable) {
  access_counters a;
  a.file = "kernel.cu";
  a.line = line;
  a.space = space;
  a.access = kind;
  a.variable = variable;
  a.width = 4;
  a.requests = 10;
  a.lanes = 320;
  return a;
}

access_counters global_read(int line) {
  access_counters a = access(line, "global", "read", "a");
  a.sectors = 80;
  a.ideal_sectors = 40;
  return a;
}

measurements measured(std::vector<access_counters> accesses) {
  measurements m;
  m.launches.emplace_back().accesses = std::move(accesses);
  return m;
}

}  // namespace

TEST_CASE("local memory stands in no table of lines and thins no line's sectors") {
  const measurements m =
      measured({global_read(4), access(4, "local", "read", "buffer"), access(5, "local", "write", "x")});
  const auto lines = lines_of(line_counters(m));
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].line == 4);
  CHECK(lines[0].rows.size() == 1);
  CHECK(lines[0].figures.requests == 10);
  CHECK(lines[0].figures.sectors_per_request() == 8.0);
}

TEST_CASE("different words of constant memory are wavefronts, and their excess counts") {
  access_counters weights = access(3, "constant", "read", "weights");
  weights.distinct_words = 50;
  const auto lines = lines_of(line_counters(measured({weights, global_read(4)})));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].figures.wavefronts_per_request() == 5.0);
  CHECK(!lines[0].figures.sectors_per_request());
  CHECK(lines[0].rows[0].wavefronts_text() == "5");
  CHECK(lines[0].figures.excess() == 40);
  CHECK(lines[0].share == 0.5);
}

TEST_CASE("a line adds up its accesses over launches, each cost over its own requests") {
  access_counters store = access(4, "shared", "write", "tile");
  store.wavefronts = 20;
  store.ideal_wavefronts = 10;
  store.largest_wavefronts = 3;
  measurements m = measured({global_read(4), store});
  m.launches.push_back(m.launches.front());
  m.launches.back().accesses[1].largest_wavefronts = 2;
  const auto lines = lines_of(line_counters(m));
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].figures.requests == 40);
  CHECK(lines[0].figures.lanes_per_request() == 32.0);
  CHECK(lines[0].figures.sectors_per_request() == 8.0);
  CHECK(lines[0].figures.wavefronts_per_request() == 2.0);
  CHECK(lines[0].share == 1.0);
  REQUIRE(lines[0].rows.size() == 2);
  CHECK(lines[0].rows[0].sectors == 160);
  CHECK(lines[0].rows[1].largest_wavefronts == 3);  // a maximum, no sum
}

TEST_CASE("places of one line with accesses of several widths have none") {
  access_counters wide = global_read(4);
  wide.width = 16;
  CHECK(line_counters(measured({global_read(4), wide})).front().width == 0);
  CHECK(line_counters(measured({global_read(4), global_read(4)})).front().width == 4);
}

TEST_CASE("where nothing is wasted, no line has a share") {
  access_counters ideal = global_read(4);
  ideal.sectors = 40;
  CHECK(lines_of(line_counters(measured({ideal}))).front().share == 0);
  CHECK(lines_of(line_counters(measurements{})).empty());
}

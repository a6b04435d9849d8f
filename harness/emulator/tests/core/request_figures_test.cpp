#include "core/request_figures.h"

#include <doctest/doctest.h>

using namespace simtlab::emulator;

namespace {

request_counters all_counted() {
  request_counters c;
  c.requests = 10, c.lanes = 320, c.sectors = 80, c.ideal_sectors = 40, c.lines = 20, c.bytes = 1280;
  c.wavefronts = 30, c.ideal_wavefronts = 10, c.distinct_words = 50;
  return c;
}

}  // namespace

TEST_CASE("each memory has the figures of its own cost, and no other") {
  const request_figures global = figures_of(memory_space::global, all_counted());
  CHECK(global.sectors_per_request() == 8.0);
  CHECK(global.ideal_sectors_per_request() == 4.0);
  CHECK(!global.wavefronts_per_request());
  CHECK(global.excess() == 40);

  const request_figures shared = figures_of(memory_space::shared, all_counted());
  CHECK(!shared.sectors_per_request());
  CHECK(shared.wavefronts_per_request() == 3.0);
  CHECK(shared.ideal_wavefronts_per_request() == 1.0);
  CHECK(shared.excess() == 20);
}

TEST_CASE("a request to constant memory takes a wavefront for each different word, and needs one") {
  const request_figures f = figures_of(memory_space::constant, all_counted());
  CHECK(!f.sectors_per_request());
  CHECK(f.wavefronts_per_request() == 5.0);
  CHECK(f.ideal_wavefronts_per_request() == 1.0);
  CHECK(f.excess() == 40);
}

TEST_CASE("efficiency is nvprof's: bytes asked for over bytes moved in sectors, and by lines of 128 bytes") {
  const request_figures f = figures_of(memory_space::global, all_counted());
  CHECK(f.lines_per_request() == 2.0);
  CHECK(f.efficiency() == 0.5);       // 1,280 of 80 x 32 bytes
  CHECK(f.line_efficiency() == 0.5);  // 1,280 of 20 x 128 bytes
  request_counters broadcast = all_counted();
  broadcast.requests = 1, broadcast.bytes = 128, broadcast.sectors = 1, broadcast.lines = 1;
  CHECK(figures_of(memory_space::global, broadcast).efficiency() == 4.0);
  CHECK(figures_of(memory_space::global, broadcast).line_efficiency() == 1.0);
  CHECK(!figures_of(memory_space::shared, all_counted()).efficiency());
  CHECK(!figures_of(memory_space::shared, all_counted()).lines_per_request());
}

TEST_CASE("a GPU counts no lines, which is not told as none") {
  request_counters counted = all_counted();
  counted.lines = 0;
  const request_figures f = figures_of(memory_space::global, counted);
  CHECK(f.efficiency() == 0.5);
  CHECK(!f.lines_per_request());
  CHECK(!f.line_efficiency());
}

TEST_CASE("other memory has requests and lanes alone, and local memory stands in no table of lines") {
  for (const memory_space space :
       {memory_space::local, memory_space::host, memory_space::unmapped, memory_space::texture}) {
    const request_figures f = figures_of(space, all_counted());
    CHECK(f.lanes_per_request() == 32.0);
    CHECK(!f.sectors_per_request());
    CHECK(!f.wavefronts_per_request());
    CHECK(f.excess() == 0);
    CHECK(is_shown_by_line(space) == (space != memory_space::local));
  }
}

TEST_CASE("what another memory costs does not thin an average") {
  request_figures both = figures_of(memory_space::global, all_counted());
  both += figures_of(memory_space::shared, all_counted());
  both += figures_of(memory_space::texture, all_counted());
  CHECK(both.requests == 30);
  CHECK(both.sectors_per_request() == 8.0);
  CHECK(both.wavefronts_per_request() == 3.0);
  CHECK(both.fewest() == 50);
  CHECK(both.excess() == 60);
}

TEST_CASE("without a request there is no average, and rounding makes no excess") {
  CHECK(!request_figures{}.lanes_per_request());
  request_counters rounded = all_counted();
  rounded.sectors = 39;
  CHECK(figures_of(memory_space::global, rounded).excess() == 0);
}

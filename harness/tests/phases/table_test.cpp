#include "phases/table.h"

#include <doctest/doctest.h>

#include "phases/toy.h"

using namespace simtlab::phases;
using simtlab::emulator::access;
using simtlab::emulator::launch_report;
using simtlab::emulator::memory_space;
using simtlab::emulator::recorded_access;

namespace {

const toy product{"toy", {{"a", 2, 4}, {"c", 2, 2, false}}, {}};

recorded_access load(std::uint32_t thread, std::uint64_t epoch, std::uint64_t element, std::uint32_t width = 4) {
  recorded_access made;
  made.thread = thread;
  made.epoch = epoch;
  made.variable = "a";
  made.variable_bytes = 32;
  made.offset = 4 * element;
  made.width = width;
  return made;
}

recorded_access store(const char* variable, std::uint32_t thread, std::uint64_t epoch, std::uint64_t word,
                      std::uint64_t bytes = 16, bool zero = false) {
  recorded_access made = load(thread, epoch, word);
  made.variable = variable;
  made.variable_bytes = bytes;
  made.kind = access::write;
  made.space = std::string(variable) == "c" ? memory_space::global : memory_space::shared;
  made.stores_zero = zero;
  return made;
}

launch_report launch_of(std::vector<recorded_access> all) {
  launch_report launch;
  launch.kernel = "multiply";
  launch.block = {2, 1, 1};
  launch.recorded = std::move(all);
  return launch;
}

}  // namespace

TEST_CASE("a row for each thread and phase; a phase begins where the block stores to shared memory") {
  const launch_report launch =
      launch_of({load(0, 0, 0), store("tile", 0, 0, 0), load(1, 0, 5), store("tile", 1, 0, 3),  //
                 load(0, 2, 2), store("tile", 0, 2, 0), store("tile", 1, 2, 1, 16, true),       //
                 store("c", 0, 4, 0)});
  CHECK(table_of(product, launch) == R"(
blockIdx.y 0, blockIdx.x 0
  phase  ty tx  load a      store tile  store c
  0      0  0   [0][0] (0)  [0][0]      -
         0  1   [1][1] (5)  [1][1]      -
  1      0  0   [0][2] (2)  [0][0]      [0][0] (0)
         0  1   -           [0][1] = 0  -
)");
}

TEST_CASE("without shared memory all is one phase, and a cell holds all that a thread loaded") {
  CHECK(table_of(product, launch_of({load(0, 0, 0), load(0, 0, 1), load(1, 1, 4)})) == R"(
blockIdx.y 0, blockIdx.x 0
  phase  ty tx  load a
  0      0  0   [0][0] (0) [0][1] (1)
         0  1   [1][0] (4)
)");
}

TEST_CASE("a wide load is all its elements, and an array that is no tile has words in a row") {
  CHECK(table_of(product, launch_of({load(1, 0, 0, 16), store("tiles", 1, 0, 5, 32)})) == R"(
blockIdx.y 0, blockIdx.x 0
  phase  ty tx  load a                                       store tiles
  0      0  0   -                                            -
         0  1   [0][0] (0) [0][1] (1) [0][2] (2) [0][3] (3)  [5]
)");
}

TEST_CASE("accesses to no variable have no cell") {
  recorded_access outside = load(0, 0, 0);
  outside.variable = "";
  CHECK(table_of(product, launch_of({outside})).find("load") == std::string::npos);
}

TEST_CASE("blocks of a whole tile are no toy, and the message says what to write") {
  launch_report launch = launch_of({});
  launch.block = {16, 16, 1};
  CHECK_THROWS_WITH_AS(static_cast<void>(table_of(product, launch)),
                       "the kernel multiply was launched with blocks of 16 x 16 threads, although tile_width was 2. "
                       "Write tile_width where the launch and the kernel mean the width of the tile, not a number",
                       not_a_toy);
}

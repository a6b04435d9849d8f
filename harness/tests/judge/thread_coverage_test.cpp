#include "judge/decide/thread_coverage.h"
#include "emulator/tests/has.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace simtlab;

namespace {

/// An output of which only what `has_thread` says was written.
template <class Written>
output_values output(std::size_t rows, std::size_t cols, Written written) {
  const std::size_t count = rows * cols;
  output_values of{"c",
                   rows == 1 ? shape{cols} : shape{rows, cols},
                   std::vector<double>(count, 1),
                   std::vector<double>(count, 1),
                   std::vector<bool>(count),
                   std::vector<bool>(count),
                   false};
  for (std::size_t i = 0; i < count; ++i) of.wrong[i] = of.unwritten[i] = !written(i / cols, i % cols);
  return of;
}

launch_counters launch(coordinates grid, coordinates block) {
  launch_counters l;
  l.kernel = "k";
  l.grid = grid;
  l.block = block;
  access_counters store;
  store.access = "write";
  store.variable = "c";
  l.accesses = {store};
  return l;
}

bool is_told(const std::vector<explanation>& all, const std::string& words) {
  return std::ranges::any_of(all, [&](const explanation& e) { return has(e.says, words); });
}

}  // namespace

TEST_CASE("configurations in words") {
  CHECK(configuration_text(launch({1, 1, 1}, {256, 1, 1})) == "1 block of 256 threads");
  CHECK(configuration_text(launch({3, 5, 1}, {16, 16, 1})) == "3 x 5 blocks of 16 x 16 threads");
  CHECK(configuration_text(launch({2, 1, 4}, {8, 4, 2})) == "2 x 1 x 4 blocks of 8 x 4 x 2 threads");
}

TEST_CASE("fewer threads than elements") {
  const auto part = [](std::size_t, std::size_t i) { return i < 256; };
  CHECK(is_told(missing_threads(output(1, 257, part), {launch({1, 1, 1}, {256, 1, 1})}), "257 / 256 rounds down"));
  CHECK(is_told(missing_threads(output(1, 1009, part), {launch({1, 1, 1}, {256, 1, 1})}),
                "Launch more blocks, (n + 256 - 1) / 256 blocks"));
  const auto looped = [](std::size_t, std::size_t i) { return i < 1000; };
  CHECK(missing_threads(output(1, 1009, looped), {launch({1, 1, 1}, {256, 1, 1})}).empty());
  CHECK(missing_threads(output(1, 200, part), {launch({1, 1, 1}, {256, 1, 1})}).empty());
}

TEST_CASE("threads enough, and every block writes the elements of the first") {
  const auto part = [](std::size_t, std::size_t i) { return i < 256; };
  CHECK(is_told(missing_threads(output(1, 1009, part), {launch({4, 1, 1}, {256, 1, 1})}),
                "lacks blockIdx.x * blockDim.x"));
  const auto more = [](std::size_t, std::size_t i) { return i < 257; };
  CHECK(missing_threads(output(1, 1009, more), {launch({4, 1, 1}, {256, 1, 1})}).empty());
}

TEST_CASE("a grid of two directions: too small, rounded down, x and y swapped in the grid or in the index") {
  const auto tile = [](std::size_t rows, std::size_t cols) {
    return [rows, cols](std::size_t i, std::size_t j) { return i < rows && j < cols; };
  };
  CHECK(is_told(missing_threads(output(67, 41, tile(16, 16)), {launch({1, 1, 1}, {16, 16, 1})}),
                "The grid needs more blocks"));
  CHECK(is_told(missing_threads(output(67, 41, tile(64, 32)), {launch({2, 4, 1}, {16, 16, 1})}), "rounds down"));
  CHECK(is_told(missing_threads(output(67, 41, tile(48, 41)), {launch({5, 3, 1}, {16, 16, 1})}),
                "x and y are swapped in the grid"));
  CHECK(is_told(missing_threads(output(67, 41, tile(48, 41)), {launch({3, 5, 1}, {16, 16, 1})}),
                "x and y are swapped in the kernel"));
  CHECK(missing_threads(output(67, 41, tile(67, 41)), {launch({3, 5, 1}, {16, 16, 1})}).empty());
}

TEST_CASE("a kernel that stores elsewhere, and nothing known") {
  const auto nothing = [](std::size_t, std::size_t) { return false; };
  launch_counters silent = launch({1, 1, 1}, {32, 1, 1});
  silent.accesses[0].variable = "other";
  CHECK(is_told(missing_threads(output(1, 9, nothing), {silent}), "none of its threads stored to c"));
  CHECK(missing_threads(output(1, 9, nothing), {}).empty());
}

TEST_CASE("a result that stays on the device, whole or in part") {
  measurements m;
  m.launches = {launch({1, 1, 1}, {256, 1, 1})};
  const auto nothing = [](std::size_t, std::size_t) { return false; };
  CHECK(has(missing_copy(output(1, 100, nothing), 4, m), "Nothing was copied to c after k stored"));
  m.host.bytes_to_host = 100;
  CHECK(has(missing_copy(output(1, 100, nothing), 4, m), "counts bytes, not elements"));
  m.host.bytes_to_host = 400;
  CHECK(missing_copy(output(1, 100, nothing), 4, m).empty());
}

TEST_CASE("barriers without shared memory, and blocks of few threads") {
  launch_counters l = launch({16, 16, 1}, {1, 1, 1});
  REQUIRE(swapped_launch({l}));
  CHECK(has(swapped_launch({l})->says, "k ran with 16 x 16 blocks of 1 thread"));
  CHECK_FALSE(swapped_launch({launch({1, 1, 1}, {16, 16, 1})}));
  CHECK(unshared_arrays({l}).empty());
  l.barriers = 2;
  CHECK(has(unshared_arrays({l}), "write __shared__"));
  l.shared_bytes = 2048;
  CHECK(unshared_arrays({l}).empty());
}

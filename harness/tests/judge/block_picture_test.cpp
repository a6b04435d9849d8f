// What the warps of a block did, drawn and in words (judge/render/block_picture.h). That the drawing holds each record is read from a
// browser's DOM (grading/tests/test_profile_page.py).
#include "judge/render/block_picture.h"

#include <doctest/doctest.h>

#include <fstream>
#include <random>

#include "emulator/tests/has.h"
#include "tests/judge/example_trace.h"
#include "tests/protocol/example.h"

using namespace simtlab;

namespace {

std::string section_of(const block_trace& t) {
  const example::temporary_folder folder;
  std::ofstream(folder.path / "kernel.cu") << "\n";
  launch_counters l;
  l.kernel = "transpose<32>";
  l.grid = {2, 1, 1};
  l.trace = t;
  return block_section(l, source_text(folder.path / "kernel.cu"));
}

/// The most that a traced block can hold, all warps different.
block_trace largest() {
  std::mt19937 random(3);
  block_trace t = example::transpose_trace();
  t.warps.clear();
  t.barriers.assign(128, {"kernel.cu", 5, false});
  t.barriers_in_all = 1'000'000;
  for (int warp = 0; warp < 32; ++warp) {
    traced_warp& w = t.warps.emplace_back(traced_warp{32, 123'456, {}});
    for (std::uint64_t i = 0; i < 128; ++i)
      w.events.push_back({random() % t.places.size(), i / 7, random() | std::uint64_t{1}, random() % 33, random() % 5});
  }
  return t;
}

}  // namespace

TEST_CASE("behind a barrier all warps begin at one column") {
  const block_columns columns = columns_of(example::transpose_trace(), 96);
  REQUIRE(columns.epochs.size() == 3);
  CHECK(columns.epochs[0].count == 2);
  CHECK(columns.epochs[1].first == 3);
  CHECK(columns.epochs[1].count == 5);  // of the warp that does most
  CHECK(columns.epochs[2].first == 9);
  CHECK(columns.count == 12);
  CHECK(columns.is_whole);
}

TEST_CASE("what there is no room for is cut, and where no record is left nothing is whole") {
  for (std::size_t most = 1; most < 12; ++most) {
    const block_columns columns = columns_of(example::transpose_trace(), most);
    CHECK(columns.count == most);
    CHECK_FALSE(columns.is_whole);
  }
  block_trace t = example::transpose_trace();
  t.warps[0].events_in_all = 400;
  CHECK_FALSE(columns_of(t, 96).is_whole);
}

TEST_CASE("a request's class is how often its cost is the fewest") {
  const auto of = [](std::uint64_t cost, std::uint64_t fewest) { return cost_class({0, 0, 1, cost, fewest}); };
  CHECK(of(0, 0) == 0);
  CHECK(of(4, 4) == 0);
  CHECK(of(5, 4) == 1);
  CHECK(of(8, 4) == 1);
  CHECK(of(9, 4) == 2);
  CHECK(of(32, 4) == 2);
  CHECK(of(33, 4) == 3);
  CHECK(of(~std::uint64_t{0}, 1) == 3);
  CHECK(of(~std::uint64_t{0}, ~std::uint64_t{0} - 1) == 1);
}

TEST_CASE("the words say what the drawing shows, warps that do the same together") {
  const std::string text = section_of(example::transpose_trace());
  CHECK(has(text, "transpose&lt;32&gt;</code>: 5 warps."));
  CHECK(has(text,
            "<td>barrier, line 5</td><td>0 to 4</td><td>line 5 reads input, 4 sectors; line 5 writes tile, 1 "
            "wavefront</td>"));
  CHECK(has(text,
            "<td>0, 1, 3</td><td>line 6 reads tile, 32 wavefronts (1 would do); line 6 writes output, 5 sectors "
            "(4 would do)</td>"));
  CHECK(has(text, "line 7 is a branch, 8 of 32 lanes; line 7 writes output, 8 sectors (1 would do), 8 of 32 lanes"));
  CHECK(has(text, "<td>the end</td><td>0 to 4</td><td>3 times other.h:3 is a shuffle</td>"));
  CHECK_FALSE(has(text, "Shown are the first"));
}

TEST_CASE("repeated steps are said once") {
  block_trace t = example::transpose_trace();
  t.warps.resize(1);
  t.warps[0].events.clear();
  for (int i = 0; i < 40; ++i) t.warps[0].events.push_back({static_cast<std::size_t>(i % 2), 0, 0xffffffff, 1, 1});
  CHECK(has(section_of(t), "<td>20 times [line 5 reads input, 1 sector; line 5 writes tile, 1 wavefront]</td>"));
}

TEST_CASE("a section stays within 30,000 bytes, and says what it leaves out") {
  const std::string text = section_of(largest());
  CHECK(text.size() <= 30'000);
  CHECK(text.size() > 8'000);
  CHECK(has(text, "of the block's 1,000,000 barriers; the warp that does most takes 123,456 steps."));
  CHECK(has(text, "<td>the cut</td>"));
}

TEST_CASE("a kernel of one thread has a row; a block that there is not, and one that did not run, have a sentence") {
  block_trace t{{0, 0, 0}, {{"kernel.cu", 2, "request", "global", "read", ""}}, {}, 0, {{1, 1, {{0, 0, 1, 1, 1}}}}};
  CHECK(has(section_of(t), ": 1 warp."));
  CHECK(has(section_of(t), "line 2 reads global memory, 1 sector"));
  t.warps.clear();
  CHECK(has(section_of(t), "(0,0,0) did not run, because the kernel was stopped."));
  t.block = {5, 0, 0};
  CHECK(has(section_of(t), "has 2 × 1 × 1 blocks; (5,0,0) is none of them."));
  CHECK(block_section({}, source_text()).empty());
}

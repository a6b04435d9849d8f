// Both threads of a race since their last common barrier (judge/render/race_paths.h).
#include "judge/render/race_paths.h"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/judge/example_trace.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace race_paths_test {  // other tests have helpers of the same names

namespace {

finding race() {
  finding f;
  f.rule = "shared-race";
  f.kernel = "transpose";
  f.variable = "tile";
  f.first = {"kernel.cu", 5, coordinates{1, 2, 0}, coordinates{1, 0, 0}, "writes tile[0][33]"};
  f.second = finding_place{"kernel.cu", 6, coordinates{0, 0, 0}, coordinates{1, 0, 0}, "reads tile[0][33]"};
  return f;
}

/// A trace with other blocks' barriers, and the threads of a block of the launch.
traced_race traced(const finding& f, const block_trace& first, const block_trace& second) {
  return {f, {8, 17, 1}, first, second};
}
traced_race traced(const finding& f, const block_trace& t) { return traced(f, t, t); }

/// The reads come before the barrier, too.
block_trace without_barrier() {
  block_trace t = example::transpose_trace();
  for (traced_warp& w : t.warps)
    for (traced_event& e : w.events) e.epoch = e.epoch == 1 ? 0 : e.epoch;
  return t;
}

/// Behind the barrier, of another block.
finding race_between_blocks() {
  finding f = race();
  f.rule = "global-race";
  f.variable = "output";
  f.first = {"kernel.cu", 6, coordinates{1, 2, 0}, coordinates{1, 0, 0}, "writes output[40]"};
  f.second = finding_place{"kernel.cu", 6, coordinates{0, 0, 0}, coordinates{0, 0, 0}, "writes output[40]"};
  return f;
}

block_trace of_block_0() {
  block_trace t = example::transpose_trace();
  t.block = {0, 0, 0};
  return t;
}

source_text source() {
  const example::temporary_folder folder;
  std::ofstream(folder.path / "kernel.cu") << "\n";
  return source_text(folder.path / "kernel.cu");
}

std::string figure_of_race(const block_trace& t) { return race_figure(traced(race(), t), source()); }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

using steps = std::vector<std::string>;

/// The page of a real program's profile.
std::string page_of_program(const std::string& name) {
  const example::temporary_folder folder;
  const std::string page = (folder.path / "page.html").string();
  const std::string source = setting("TEST_FOLDER") + "/../labs/scale/emulated/" + name + ".cu";
  const process_outcome outcome =
      run_judge("scale", "emulated-" + name, {"--limit-memory-mb", "4096", "--profile", source, "--page", page});
  REQUIRE_MESSAGE(outcome.exit_code < 2, outcome.printed);
  return contents(page);
}

}  // namespace

TEST_CASE("each path ends at the thread's access, and has the steps that its lane took part in") {
  const auto paths = paths_of(traced(race(), without_barrier()), source());
  REQUIRE(paths);
  CHECK(paths->begin == "the kernel begins");
  CHECK(paths->first.steps == steps{"line 5 reads input", "line 5 writes tile"});  // thread 17
  CHECK(paths->second.steps == steps{"line 5 reads input", "line 5 writes tile", "line 6 reads tile"});

  finding late = race();
  late.variable = "output";
  late.first = {"kernel.cu", 7, coordinates{1, 8, 0}, coordinates{1, 0, 0}, "writes output[3]"};  // lane 1 of warp 2
  late.second = finding_place{"kernel.cu", 6, coordinates{2, 8, 0}, coordinates{1, 0, 0}, "writes output[3]"};
  const auto behind = paths_of(traced(late, example::transpose_trace()), source());
  REQUIRE(behind);
  CHECK(behind->begin == "barrier, line 5");
  CHECK(behind->first.steps ==
        steps{"line 6 reads tile", "line 6 writes output", "line 7 is a branch", "line 7 writes output"});
  late.first.thread = coordinates{0, 9, 0};  // lane 8 does not take the branch
  CHECK_FALSE(paths_of(traced(late, example::transpose_trace()), source()));
}

TEST_CASE("a barrier between the two, traces of other blocks, and an unknown thread have no paths") {
  CHECK_FALSE(paths_of(traced(race(), example::transpose_trace()), source()));
  finding f = race();
  f.first.block = f.second->block = coordinates{0, 0, 0};
  CHECK_FALSE(paths_of(traced(f, without_barrier()), source()));
  f = race();
  f.first.thread = std::nullopt;
  CHECK(is_race(f));
  CHECK_FALSE(names_both_threads(f));
  CHECK_FALSE(paths_of(traced(f, without_barrier()), source()));
  f = race();
  f.first.thread = coordinates{~std::uint64_t{0}, 5, 5};
  CHECK_FALSE(paths_of(traced(f, without_barrier()), source()));
  CHECK(race_figure(traced(race(), example::transpose_trace()), source()).find("are not drawn: what was recorded") !=
        std::string::npos);
}

TEST_CASE("threads of two blocks have paths since the kernel's begin, with the barriers of their own blocks as steps") {
  const finding f = race_between_blocks();
  REQUIRE(names_both_threads(f));
  const auto paths = paths_of(traced(f, example::transpose_trace(), of_block_0()), source());
  REQUIRE(paths);
  CHECK(paths->begin == "the kernel begins");
  const steps all{"line 5 reads input", "line 5 writes tile", "line 5 is a barrier of the block", "line 6 reads tile",
                  "line 6 writes output"};
  CHECK(paths->first.steps == all);
  CHECK(paths->second.steps == all);
  const std::string text = race_figure(traced(f, example::transpose_trace(), of_block_0()), source());
  CHECK(text.find("<summary>Both threads since the kernel's begin</summary>") != std::string::npos);
  CHECK(text.find(">no order</text>") != std::string::npos);
  CHECK(text.find("What could order them is a kernel boundary between them, or atomic operations.") !=
        std::string::npos);
  CHECK(count(text, "<li>thread (1,2,0) of block (1,0,0): line 5 reads input; ") == 1);
  CHECK(count(text, "<li>thread (0,0,0) of block (0,0,0): line 5 reads input; ") == 1);
  CHECK(text.size() < 8'000);
}

TEST_CASE("a barrier of the grid is common to two blocks") {
  block_trace first = example::transpose_trace(), second = of_block_0();
  first.barriers[0].of_grid = second.barriers[0].of_grid = true;
  const auto paths = paths_of(traced(race_between_blocks(), first, second), source());
  REQUIRE(paths);
  CHECK(paths->begin == "barrier of the grid, line 5");
  CHECK(paths->first.steps == steps{"line 6 reads tile", "line 6 writes output"});
  CHECK(paths->second.steps == paths->first.steps);
}

TEST_CASE("two findings are of one race by rule, kernel, variable and lines, whichever threads they name") {
  const finding one = race();
  finding other = one;
  std::swap(other.first, *other.second);
  other.first.thread = std::nullopt;
  CHECK(is_same_race(one, other));
  other.first.line = 9;
  CHECK_FALSE(is_same_race(one, other));
}

TEST_CASE("the drawing has a box for each step, one thick one for each access, and one edge that is missing") {
  const std::string text = figure_of_race(without_barrier());
  CHECK(count(text, "<rect class=\"f\"") == 3);
  CHECK(count(text, "<rect class=\"rx\"") == 2);
  CHECK(count(text, "class=\"re\"") == 1);
  CHECK(text.find(">the kernel begins</text>") != std::string::npos);
  CHECK(text.find("<li>thread (1,2,0): line 5 reads input; line 5 writes tile</li>") != std::string::npos);
  CHECK(text.find("<li>thread (0,0,0): line 5 reads input; line 5 writes tile; line 6 reads tile</li>") !=
        std::string::npos);
  CHECK(count(figure_of_race(example::transpose_trace()), "<svg") == 0);
}

TEST_CASE("a long path shows its end, and says how many steps came before") {
  block_trace t = without_barrier();
  const traced_event first = t.warps[0].events.front();
  t.warps[0].events.insert(t.warps[0].events.begin(), 500, first);
  const std::string text = figure_of_race(t);
  CHECK(text.find("493 steps before") != std::string::npos);
  CHECK(text.size() < 8'000);
}

TEST_CASE(
    "the page of a profile draws the race of a block that it does not draw otherwise, from records of that block") {
  const std::string text = page_of_program("races_in_a_later_block");
  CHECK(text.find("<p>Block (0,0,0) of the first launch, of <code>scale_staged</code>: 4 warps.") != std::string::npos);
  CHECK(count(text, "class=\"life race\"") == 1);
  CHECK(count(text, "line 9 reads input; line 9 writes staged</li>") == 1);
  CHECK(count(text, "line 9 reads input; line 9 writes staged; line 11 reads staged</li>") == 1);
}

TEST_CASE("the page draws a race between blocks of a later kernel, from records of both blocks") {
  const std::string text = page_of_program("races_between_blocks");
  CHECK(count(text, "class=\"life race\"") == 1);
  CHECK(text.find("<p>Block (0,0,0) of the first launch, of <code>scale_all</code>") != std::string::npos);
  CHECK(count(text,
              "line 14 writes staged; line 15 is a barrier of the block; line 16 reads staged; line 16 writes "
              "output</li>") == 1);
  CHECK(count(text, "line 17 reads output</li>") == 1);
}

}  // namespace race_paths_test

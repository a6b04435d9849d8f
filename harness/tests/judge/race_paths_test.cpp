// Both threads of a race since their last common barrier (judge/render/race_paths.h).
#include "judge/render/race_paths.h"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/judge/example_trace.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;

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

launch_counters launch() {
  launch_counters l;
  l.kernel = "transpose";
  l.grid = {2, 1, 1};
  l.block = {8, 17, 1};
  l.trace = example::transpose_trace();
  return l;
}

/// The reads come before the barrier, too.
block_trace without_barrier() {
  block_trace t = example::transpose_trace();
  for (traced_warp& w : t.warps)
    for (traced_event& e : w.events) e.epoch = e.epoch == 1 ? 0 : e.epoch;
  return t;
}

std::string figure_of_race(const block_trace& t) {
  const example::temporary_folder folder;
  std::ofstream(folder.path / "kernel.cu") << "\n";
  return race_figure(race(), launch(), t, source_text(folder.path / "kernel.cu"));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("each path ends at the thread's access, and has the steps that its lane took part in") {
  const auto paths = paths_of(race(), launch(), without_barrier());
  REQUIRE(paths);
  CHECK(paths->epoch == 0);
  CHECK(paths->first.steps == std::vector<std::size_t>{0, 1});  // thread 17: reads input, writes tile
  CHECK(paths->second.steps == std::vector<std::size_t>{0, 1, 2});

  finding late = race();
  late.variable = "output";
  late.first = {"kernel.cu", 7, coordinates{1, 8, 0}, coordinates{1, 0, 0}, "writes output[3]"};  // lane 1 of warp 2
  late.second = finding_place{"kernel.cu", 6, coordinates{2, 8, 0}, coordinates{1, 0, 0}, "writes output[3]"};
  const auto behind = paths_of(late, launch(), example::transpose_trace());
  REQUIRE(behind);
  CHECK(behind->epoch == 1);
  CHECK(behind->first.steps == std::vector<std::size_t>{2, 3, 4, 5});
  late.first.thread = coordinates{0, 9, 0};  // lane 8 does not take the branch
  CHECK_FALSE(paths_of(late, launch(), example::transpose_trace()));
}

TEST_CASE("a barrier between the two, another block, kernel, or an unknown thread has no paths") {
  CHECK_FALSE(paths_of(race(), launch(), example::transpose_trace()));
  finding f = race();
  f.kernel = "copy";
  CHECK_FALSE(paths_of(f, launch(), without_barrier()));
  f = race();
  f.first.block = f.second->block = coordinates{0, 0, 0};
  CHECK_FALSE(paths_of(f, launch(), without_barrier()));
  f = race();
  f.second->block = coordinates{0, 0, 0};
  CHECK_FALSE(is_race_inside_block(f));
  f = race();
  f.first.thread = std::nullopt;
  CHECK_FALSE(is_race_inside_block(f));
  f = race();
  f.first.thread = coordinates{~std::uint64_t{0}, 5, 5};
  CHECK_FALSE(paths_of(f, launch(), without_barrier()));
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
  CHECK(figure_of_race(example::transpose_trace()).empty());
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
  const example::temporary_folder folder;
  const std::string page = (folder.path / "page.html").string(), name = "races_in_a_later_block";
  const std::string source = setting("TEST_FOLDER") + "/../labs/scale/emulated/" + name + ".cu";
  const process_outcome outcome =
      run_judge("scale", "emulated-" + name, {"--limit-memory-mb", "4096", "--profile", source, "--page", page});
  REQUIRE_MESSAGE(outcome.exit_code == 0, outcome.printed);
  const std::string text = contents(page);
  CHECK(text.find("<p>Block (0,0,0) of the first launch, of <code>scale_staged</code>: 4 warps.") != std::string::npos);
  CHECK(count(text, "class=\"life race\"") == 1);
  CHECK(count(text, "line 9 reads input; line 9 writes staged</li>") == 1);
  CHECK(count(text, "line 9 reads input; line 9 writes staged; line 11 reads staged</li>") == 1);
}

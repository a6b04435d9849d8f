// Findings as an editor's patterns read them. grading/tests/test_editor_files.py reads the golden text by .vscode's.
#include "judge/render/problem_lines.h"

#include <cstdlib>

#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace {

finding race() {
  finding f;
  f.rule = "shared-race";
  f.message = "Two threads of one block touch the same element. Put a __syncthreads() between them.";
  f.variable = "tile";
  f.first = {"kernel.cu", 34, coordinates{31, 0, 0}, coordinates{0, 0, 0}, "reads tile[32]"};
  f.second = finding_place{"kernel.cu", 31, coordinates{32, 0, 0}, coordinates{0, 0, 0}, "writes tile[32]"};
  return f;
}

finding index_out_of_bounds() {
  finding f;
  f.rule = "out-of-bounds";
  f.message = "The index leaves the array. Compare it with the size first.";
  f.variable = "output";
  f.first = {"kernel.cu", 12, coordinates{5, 0, 0}, coordinates{1, 0, 0}, "writes output[101] of 100"};
  return f;
}

finding barrier() {
  finding f;
  f.rule = "divergent-barrier";
  f.level = severity::warning;
  f.message = "Some threads of the block wait at one barrier,\nothers at another. All have to come to the same.";
  f.first = {"kernel.cu", 20, std::nullopt, std::nullopt, ""};
  f.second = finding_place{"kernel.cu", 25, std::nullopt, std::nullopt, ""};
  return f;
}

}  // namespace

TEST_CASE("each place is a line of its own and names the other") {
  const std::string text = problem_lines({race(), index_out_of_bounds(), barrier()});
  const std::filesystem::path golden = setting("TEST_FOLDER") + "/golden/problem_lines.txt";
  if (std::getenv("SIMTLAB_UPDATE_GOLDEN") != nullptr) std::ofstream(golden) << text;
  CHECK(text == contents(golden));
}

TEST_CASE("a finding without a line, or with both places in one, has no line too many") {
  finding f = race();
  f.second->line = f.first.line;
  CHECK(problem_lines({f}).find('\n') == problem_lines({f}).size() - 1);
  f.first.line = 0;
  f.second.reset();
  CHECK(problem_lines({f}).empty());
}

TEST_CASE("the judge prints them for editors alone") {
  CHECK(run_judge("scale", "one_past_the_end", {"--test-case=safe"}).printed.find("error: ") == std::string::npos);
  setenv("SIMTLAB_PROBLEM_LINES", "1", 1);
  CHECK(problem_lines_are_asked_for());
  setenv("SIMTLAB_PROBLEM_LINES", "0", 1);
  CHECK_FALSE(problem_lines_are_asked_for());
  unsetenv("SIMTLAB_PROBLEM_LINES");
  CHECK_FALSE(problem_lines_are_asked_for());
}

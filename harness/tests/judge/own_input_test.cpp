// A student's own input: what the text file may say, what is told when it doesn't fit, and what is printed.
#include "judge/stage/own_input.h"

#include <doctest/doctest.h>

#include "judge/options.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace {

/// What the judge of the lab "scale" prints for a right submission and this input, with its exit code in front.
std::string said_about(const std::string& input, const std::string& submission = "right") {
  const example::temporary_folder folder;
  std::ofstream(folder.path / "mine.txt") << input;
  const process_outcome outcome =
      run_judge("scale", submission, {"--input", (folder.path / "mine.txt").string(), "--print"});
  return std::to_string(outcome.exit_code) + "\n" + outcome.printed;
}

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("sizes and arrays are taken from the file, and the arrays printed row by row") {
  CHECK(said_about("# mine\nrows 2\ncols 3\ninput\n1 2.5 3   # the first row\n-4 5e1 6\n") ==
        "0\ninput (6)\n    1 2.5   3  -4  50   6\noutput (2 x 3), written\n    2   5   6\n   -8 100  12\npass\n");
}

TEST_CASE("a wrong answer is told with the arrays") {
  const std::string said = said_about("rows 1 cols 2 input 1 2", "zeros");
  CHECK(said.starts_with("1\n"));
  CHECK(has(said, "output (1 x 2), written\n  0 0\n"));
  CHECK(has(said, "wrong answer"));
}

TEST_CASE("an array that is not given is random, as in the cases") {
  CHECK(has(said_about("rows 1\ncols 1\n"), "input (1)\n  1."));
}

TEST_CASE("what does not fit the lab is told with file, line and what there is") {
  CHECK(has(said_about("rows 2\n"), "the size cols is missing; this lab's sizes are rows, cols"));
  CHECK(has(said_about("rows 2 cols 2\ninput 1 2 3\n"), "mine.txt:2: input takes 4 numbers (4), found 3"));
  CHECK(has(said_about("rows 2\ncols 2.5\n"), "mine.txt:2: the size cols is one whole number from 0 to 1048576"));
  CHECK(has(said_about("rows 1\ncols 1\noutput 3\n"), "mine.txt:3: output is no size and no input of this lab"));
  CHECK(has(said_about("7 rows 1\n"), "mine.txt:1: the number 7 comes before any name"));
  CHECK(has(said_about("rows 1\nrows 2\n"), "mine.txt:2: rows is given twice, first in line 1"));
  CHECK(said_about("rows 2\n").starts_with("2\n"));
  CHECK_THROWS_WITH_AS(static_cast<void>(with_own_input(lab(), "/no/such/file")), doctest::Contains("cannot be read"),
                       usage_error);
}

TEST_CASE("a case's folder is made for a runner that somebody else starts") {
  const example::temporary_folder folder;
  const auto prepare = [&](const std::string& name) {
    return run_judge("scale", "right", {"--prepare", folder.path.string(), "--case", name});
  };
  CHECK(prepare("ragged").exit_code == 0);
  const json request = json::parse(contents(folder.path / "request" / "request.json"));
  CHECK(request["arguments"][0]["elements"] == 15);
  CHECK(request["rounds"] == 1);
  CHECK(std::filesystem::is_directory(folder.path / "result"));
  const process_outcome unknown = prepare("raged");
  CHECK(unknown.exit_code == 2);
  CHECK(has(unknown.printed,
            R"(scale has no case "raged"; its cases are "one element", "ragged", "larger", "benchmark")"));
}

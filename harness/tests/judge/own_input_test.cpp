// A student's own input: what the text file may say, what is told when it doesn't fit, and what is printed.
#include "judge/stage/own_input.h"

#include <doctest/doctest.h>

#include "emulator/tests/has.h"
#include "judge/options.h"
#include "judge/render/own_pictures.h"
#include "judge/render/own_run.h"
#include "judge/stage/netpbm.h"
#include "tests/as_bytes.h"
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

}  // namespace

TEST_CASE("sizes and arrays are taken from the file, and the arrays printed row by row") {
  CHECK(said_about("# mine\nrows 2\ncols 3\ninput\n1 2.5 3   # the first row\n-4 5e1 6\n") ==
        "0\ninput (6)\n    1 2.5   3  -4  50   6\noutput (2 x 3), written\n    2   5   6\n   -8 100  12\npass\n");
}

TEST_CASE("a matrix stored column after column is printed as it is, a row on each line") {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  lab of;
  of.arguments = {{"n", argument_role::input, scalar_type::f32, 1, 4}};
  case_outcome run;
  run.given = {{as_bytes(values), {3, 2}}};
  const auto printed = [&] { return own_run_text(of, run, true, text_style(false), 80); };
  CHECK(has(printed(), "n (3 x 2)\n  1 2\n  3 4\n  5 6\n"));
  of.proof = product_of("m", by_columns("n"), "p");
  CHECK(has(printed(), "n (3 x 2), stored column after column\n  1 4\n  2 5\n  3 6\n"));
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

TEST_CASE("a picture gives an image and its sizes; the others are the benchmark's, or the command line's") {
  const example::temporary_folder folder;
  const auto file = folder.path / "photo.ppm";
  std::ofstream(file) << "P6 2 1 255\nabcdef";
  lab of;
  of.arguments = {{"input", argument_role::input, scalar_type::u8, 1, 1}};
  of.cases = {{"first", {{"radius", 0}, {"width", 4}, {"height", 1}, {"channels", 1}}}};
  of.benchmark.emulator = {{"radius", 2}, {"width", 8}, {"height", 8}, {"channels", 3}};
  of.make_arguments = [](const test_case& c, random_source&) {
    const auto extent = [&](const char* name) { return static_cast<std::size_t>(c[name]); };
    const shape extents{extent("height"), extent("width"), extent("channels")};
    return std::vector<argument_value>{
        {std::vector<std::byte>(extents[0] * extents[1] * extents[2]), extents, c["radius"] >= 0}};
  };
  const auto given = [&](const sizes& own) {
    lab made = with_own_input(of, file, own);
    const test_case& c = made.cases.front();
    random_source random(1, c.name());
    const std::vector<argument_value> values = made.make_arguments(c, random);
    CHECK(values[0].extents == shape{1, 2, 3});
    CHECK(values[0].bytes.size() == 6);
    CHECK(values[0].bytes[5] == std::byte{'f'});
    return c["radius"];
  };
  CHECK(given({}) == 2);
  CHECK(given({{"radius", 9}}) == 9);
  const auto refused = [&](const sizes& own, const char* why) {
    CHECK_THROWS_WITH_AS(static_cast<void>(with_own_input(of, file, own)), doctest::Contains(why), usage_error);
  };
  refused({{"width", 3}}, "the size width comes from the picture, where it is 2");
  refused({{"raduis", 3}}, "raduis is no size of this lab; its sizes are radius, width, height, channels");
  refused({{"radius", 2000000000}}, "the size radius is one whole number from 0 to 1048576");
  CHECK(has(said_about("rows 1\n"), "the size cols is missing"));
  of.arguments[0].role = argument_role::in_out;
  refused({}, "this lab takes no picture. Its input is a text file");
}

TEST_CASE("the pictures of a run stand beside its input, and the difference only while there is one") {
  const example::temporary_folder folder;
  const auto input = folder.path / "photo.ppm";
  lab of;
  of.arguments = {{"output", argument_role::output, scalar_type::u8, 1, 1}};
  of.run_reference = [](std::vector<argument_value>& values) { values[0].bytes = {std::byte{7}, std::byte{9}}; };
  case_outcome run;
  run.of = {{"width", 2}, {"radius", 1}};
  run.given = {{std::vector<std::byte>(2), {1, 2, 1}, true}};
  run.returned = {{std::byte{7}, std::byte{8}}};
  run.wrong = mismatch{};
  const std::string text = write_own_pictures(of, run, input);
  CHECK(text.starts_with("ran with width 2, radius 1\noutput is in "));
  CHECK(has(text, "photo-output.pgm (2 x 1, grey)\ndifference is in "));
  CHECK(read_netpbm(folder.path / "photo-output.pgm").bytes == run.returned[0]);
  CHECK(read_netpbm(folder.path / "photo-difference.pgm").bytes ==
        std::vector<std::byte>{std::byte{0}, std::byte{128}});
  run.wrong.reset();
  CHECK_FALSE(has(write_own_pictures(of, run, input), "difference"));
  CHECK_FALSE(std::filesystem::exists(folder.path / "photo-difference.pgm"));
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

#include "predict/answers.h"

#include <doctest/doctest.h>

#include <set>
#include <sstream>

#include "predict/drawing.h"

using namespace simtlab::predict;

namespace {

answers read(const std::string& text) {
  std::istringstream from(text);
  return read_answers(from, "predict.toml");
}

question strided() {
  return {.name = "strided",
          .text = "words[threadIdx.x * {stride}], {stride} apart",
          .numbers = {{"stride", {4, 2, 6, 8, 12, 16, 32}}},
          .run = {},
          .measurement = {}};
}

}  // namespace

TEST_CASE("answers are a name and a number a line; what is left at \"\" is not given") {
  const answers found =
      read("# Lab 08\nstudent = \"Ada # L\"  # me\n\nstrided = 8\r\nhalf = 0.5 # a half\nopen = \"\"\n");
  CHECK(found.student == "Ada # L");
  CHECK(found.given == std::map<std::string, double>{{"strided", 8}, {"half", 0.5}});
  CHECK(read("").given.empty());
  CHECK(read("strided = \"8\"\nopen = \" \"").given == std::map<std::string, double>{{"strided", 8}});
}

TEST_CASE("a mistake is told with its line") {
  const auto refuses = [](const std::string& text, const char* sentence) {
    CHECK_THROWS_WITH_AS(read(text), doctest::Contains(sentence), answers_error);
  };
  refuses("\nstrided 8", "predict.toml:2: expected `question = number`, found `strided 8`");
  refuses("strided = eight", "expected a number, such as `strided = 4`, found `eight`");
  refuses("strided = 8x", "found `8x`");
  refuses("strided = \"many\"", "found `\"many\"`");
  refuses("strided =", "expected a number");
  refuses("strided = nan", "found `nan`");
  refuses("strided = inf", "found `inf`");
  refuses("strided = 8\nstrided = 4", "predict.toml:2: `strided` is answered twice");
  refuses("student = Ada", "in quotation marks");
  refuses(std::string(2000, '#'), "much longer than its questions");
}

TEST_CASE("a name that is no login is told with what to write") {
  for (const char* login : {"ada", "ada17", "ada.lovelace", "a_b-c", "\u738b", "\xc3\xbcnal"})
    CHECK(advice_on(login).empty());
  CHECK(advice_on("") == "write your login into predict.toml, student = \"...\", to get yours");
  CHECK(advice_on("  ") == advice_on(""));
  CHECK(advice_on("ada@example.org") == "this is an address: your login is what stands before the @, `ada`");
  for (const char* other : {"Ada Lovelace", "Lovelace, Ada", "@ada", "a\tb"}) {
    CAPTURE(other);
    CHECK(advice_on(other).find("does not look like a login: expected one word") != std::string::npos);
  }
}

TEST_CASE("numbers follow from the name alone, and spelling does not matter") {
  const question of = strided();
  const auto stride = [&](const char* student) { return numbers_for(of, student)["stride"]; };
  CHECK(stride("") == 4);
  CHECK(stride(" -_") == 4);
  CHECK(stride("Lovelace, Ada") == stride("lovelace-ada"));
  std::set<int> seen;
  for (int i = 0; i < 100; ++i) seen.insert(stride(("student " + std::to_string(i)).c_str()));
  CHECK(seen.size() == of.numbers.at(0).values.size());
  CHECK(text_of(of, numbers_for(of, "")) == "words[threadIdx.x * 4], 4 apart");
}

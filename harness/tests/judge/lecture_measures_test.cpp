// A slide's figures beside the profile's: lines of 128 bytes, load and store efficiency.
#include "judge/render/lecture_measures.h"

#include <doctest/doctest.h>

#include <sstream>

#include "emulator/tests/has.h"
#include "judge/wording.h"

using namespace simtlab;

namespace {

line_row row(int line, const char* space, const char* kind, const std::string& variable, std::uint64_t sectors,
             std::uint64_t lines) {
  line_row r;
  r.line = line;
  r.space = space;
  r.kind = kind;
  r.access = std::string(kind) + " " + variable;
  r.requests = 10;
  r.lanes = 320;
  r.bytes = 1280;
  r.sectors = 10 * sectors;
  r.lines = 10 * lines;
  return r;
}

std::string table(const std::vector<line_row>& rows) { return lecture_measures(rows, text_style(false), 80); }

}  // namespace

TEST_CASE("a request shifted by one word: 5 sectors, 80 %; 2 lines, the lectures' 50 %") {
  const std::string text = table({row(7, "global", "read", "in", 5, 2), row(7, "global", "write", "out", 4, 1)});
  CHECK(has(text, "   7 read in                             10       5       2       80 %     50 %\n"));
  CHECK(has(text, "   7 write out                           10       4       1      100 %    100 %\n"));
}

TEST_CASE("all loads and all stores are summed apart, and an atomic operation is neither") {
  const std::string text = table({row(3, "global", "read", "a", 4, 1), row(4, "global", "read", "b", 32, 32),
                                  row(5, "global", "write", "c", 8, 2), row(6, "global", "atomic", "bins", 32, 32)});
  CHECK(has(text, "     load efficiency                     20      18    16.5     22.2 %   6.06 %\n"));
  CHECK(has(text, "     store efficiency                    10       8       2       50 %     50 %\n"));
  CHECK(has(text, "   6 atomic bins"));
}

TEST_CASE(
    "other memory has no such measure; without global memory there is no table, without a store no sum of stores") {
  CHECK(table({row(3, "shared", "read", "tile", 0, 0)}).empty());
  const std::string text = table({row(3, "shared", "read", "tile", 0, 0), row(4, "global", "read", "a", 4, 1)});
  CHECK_FALSE(has(text, "tile"));
  CHECK_FALSE(has(text, "store efficiency"));
}

TEST_CASE("lines that a GPU does not count are left open") {
  CHECK(has(table({row(3, "global", "read", "a", 4, 0)}), " 4              100 %         \n"));
}

TEST_CASE("it fits a terminal, whatever a variable is called") {
  std::stringstream lines(
      table({row(12345, "global", "read", "a_very_long_name_of_an_array_that_nobody_types_twice", 32, 32)}));
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(columns(line) <= 80);
  }
}

#include "driver/text_pattern.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace simtlab::emulator;
using parts = std::vector<std::string>;

TEST_CASE("a pattern is of the whole text, and tells what each parenthesis took") {
  const text_pattern place("([^:]+):([0-9]+)(:([0-9]+))?");
  CHECK(place.parts_of("k.cu:12:3") == parts{"k.cu:12:3", "k.cu", "12", ":3", "3"});
  CHECK(place.parts_of("k.cu:12") == parts{"k.cu:12", "k.cu", "12", "", ""});
  CHECK(place.parts_of("k.cu:12 ").empty());
  CHECK(place.parts_of("").empty());
  CHECK(place.matches("k.cu:1"));
}

TEST_CASE("either side of a choice is a whole text, too") {
  const text_pattern either("a|bc");
  CHECK(either.matches("a"));
  CHECK(either.matches("bc"));
  CHECK_FALSE(either.matches("ac"));
}

TEST_CASE("what is no pattern is told at once") { CHECK_THROWS_AS(text_pattern("(a"), std::logic_error); }

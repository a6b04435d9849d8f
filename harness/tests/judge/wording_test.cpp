#include "judge/wording.h"

#include <doctest/doctest.h>

using namespace simtlab;

TEST_CASE("ordinals") {
  for (const auto& [n, text] : {std::pair{1, "1st"},
                                {2, "2nd"},
                                {3, "3rd"},
                                {4, "4th"},
                                {11, "11th"},
                                {12, "12th"},
                                {21, "21st"},
                                {113, "113th"}})
    CHECK(ordinal(static_cast<std::uint64_t>(n)) == text);
}

TEST_CASE("groups of three digits") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
}

TEST_CASE("names are listed as in a sentence") {
  CHECK(listed({}).empty());
  CHECK(listed({"a"}) == "a");
  CHECK(listed({"a", "b"}) == "a and b");
  CHECK(listed({"a", "b", "c"}) == "a, b and c");
}

TEST_CASE("lines are broken at spaces, and a letter of several bytes is one column") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("äöü äöü", 7) == std::vector<std::string>{"äöü äöü"});
  CHECK(wrapped("a\nb", 7) == std::vector<std::string>{"a", "b"});
  CHECK(wrapped("averylongword b", 5) == std::vector<std::string>{"averylongword", "b"});
  CHECK(padded("äö", 4) == "äö  ");
}

TEST_CASE("places of a finding") {
  finding f;
  f.message = "Two threads.";
  CHECK(describe(f) == "Two threads.");
  f.first = {"kernel.cu", 23, {}, {}, "writes"};
  CHECK(describe(f) == "kernel.cu:23: Two threads.");
  f.second = finding_place{"kernel.cu", 31, {}, {}, "reads"};
  CHECK(places_of(f) == "kernel.cu:23 and kernel.cu:31");
  f.second->line = 23;
  CHECK(places_of(f) == "kernel.cu:23");
}

TEST_CASE("printed bytes become harmless text") {
  CHECK(printable("ok\n", 10) == "ok\n");
  CHECK(printable("\033[31m\a", 10) == "?[31m?");
  CHECK(printable("\xff\xfe", 10) == "\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(printable(std::string("a\0b", 3), 10) == "a?b");
  CHECK(printable("ä", 1) == "\xef\xbf\xbd");
  CHECK(printable("12345", 3) == "123");
}

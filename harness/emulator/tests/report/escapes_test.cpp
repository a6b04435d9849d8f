#include "report/escapes.h"

#include <doctest/doctest.h>

using namespace simtlab::emulator;

TEST_CASE("bytes that are no UTF-8 are replaced one by one, and everything else stays") {
  CHECK(utf8("größe ∑ 𝜋") == "größe ∑ 𝜋");
  CHECK(utf8("a\xff"
             "b") == "a\uFFFDb");
  CHECK(utf8("\xc3") == "\uFFFD");                                // cut off
  CHECK(utf8("\xc0\xaf") == "\uFFFD\uFFFD");                      // longer than it need be
  CHECK(utf8("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");            // half of a pair of UTF-16
  CHECK(utf8("\xf5\x80\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond Unicode
}

TEST_CASE("JSON: quotes, backslashes and control characters") {
  CHECK(json_quoted("a\"b\\c\n\x01\xff") == "\"a\\\"b\\\\c\\n\\u0001\uFFFD\"");
}

TEST_CASE("XML: markup, and characters that it cannot have") {
  CHECK(xml_escaped("a<b>&\"c\"\n\x1b") == "a&lt;b&gt;&amp;&quot;c&quot;&#10;\uFFFD");
}

TEST_CASE("a URI keeps slashes; every other byte that is not plain is a number") {
  CHECK(uri_path("/a b/größe#1.cu") == "/a%20b/gr%C3%B6%C3%9Fe%231.cu");
}

TEST_CASE("a workflow command ends at its line, and a property at a colon or comma") {
  CHECK(command_message("50%\r\nof a, b: c") == "50%25%0D%0Aof a, b: c");
  CHECK(command_property("50%\r\nof a, b: c") == "50%25%0D%0Aof a%2C b%3A c");
}

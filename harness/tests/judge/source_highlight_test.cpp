// Colours of a source: they add elements `span`, and take nothing away.
#include "judge/render/source_highlight.h"

#include <doctest/doctest.h>

#include <random>

#include "judge/render/request_picture.h"

using namespace simtlab;

namespace {

std::string only(const std::string& line) { return highlighted({line}).front(); }

/// What a reader sees: the text without elements.
std::string shown(const std::string& html) {
  std::string text;
  bool in_element = false;
  for (const char c : html) {
    in_element = in_element ? c != '>' : c == '<';
    if (!in_element && c != '>') text += c;
  }
  return text;
}

}  // namespace

TEST_CASE("keywords, CUDA's words, numbers, text and comments have classes of their own") {
  CHECK(only("int i = threadIdx.x;") == "<span class=\"hk\">int</span> i = <span class=\"hu\">threadIdx</span>.x;");
  CHECK(only("__shared__ float tile[32];") ==
        "<span class=\"hu\">__shared__</span> <span class=\"hk\">float</span> tile[<span class=\"hn\">32</span>];");
  CHECK(only("f(\"// no comment\", 'a'); // one") ==
        "f(<span class=\"hs\">&quot;// no comment&quot;</span>, <span class=\"hs\">'a'</span>); "
        "<span class=\"hc\">// one</span>");
  CHECK(only("x = 0x1Fu + 1.5f;") == "x = <span class=\"hn\">0x1Fu</span> + <span class=\"hn\">1.5f</span>;");
  CHECK(only("integer = format;") == "integer = format;");
}

TEST_CASE("a comment goes on over lines, a preprocessor line after its backslash") {
  const auto lines = highlighted({"a /* b", "int", "c */ int", "#define X \\", "  int", "int"});
  CHECK(lines[1] == "<span class=\"hc\">int</span>");
  CHECK(lines[2] == "<span class=\"hc\">c */</span> <span class=\"hk\">int</span>");
  CHECK(lines[4] == "<span class=\"hp\">  int</span>");
  CHECK(lines[5] == "<span class=\"hk\">int</span>");
  CHECK(only("/*/ still */ int").ends_with("<span class=\"hk\">int</span>"));
}

TEST_CASE("no character is lost or added, whatever the source is") {
  std::mt19937 random(3);
  const std::string alphabet = "ab/*/\"'\\#<>&0.1_ \xc3\xa4(";
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<std::string> lines(3);
    for (std::string& line : lines)
      for (std::size_t i = random() % 12; i > 0; --i) line += alphabet[random() % alphabet.size()];
    const auto made = highlighted(lines);
    REQUIRE(made.size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) CHECK(shown(made[i]) == escaped(lines[i]));
  }
}

// What is left of clang's text when conditions are decided.
#include <doctest/doctest.h>

#include <string>

#include "translator/conditional_groups.h"

using simtlab::emulator::without_inactive_groups;

namespace {

std::string left_of(const std::string& text, const std::string& predefined = "") {
  return without_inactive_groups(text, predefined);
}

}  // namespace

TEST_CASE("lines that are left out become empty, and so do the conditions") {
  CHECK(left_of("a\n#if 0 /* evaluated */\nb\n#elif 1 /* evaluated */\nc\n#else\nd\n#endif\ne\n") ==
        "a\n\n\n\nc\n\n\n\ne\n");
  CHECK(left_of("#if 1\n#if 0\na\n#else\nb\n#endif\n#else\nc\n#endif\n") == "\n\n\n\nb\n\n\n\n\n");
  CHECK(left_of("#if 0\n#if 1\na\n#else\nb\n#endif\n#endif\nc\n") == "\n\n\n\n\n\n\nc\n");
}

TEST_CASE("what is defined is known: before the text, in it, and no longer") {
  const std::string asks = "#ifdef X\na\n#endif\n#ifndef X\nb\n#endif\n";
  CHECK(left_of(asks) == "\n\n\n\nb\n\n");
  CHECK(left_of(asks, "#define X 1\n") == "\na\n\n\n\n\n");
  CHECK(left_of("#define X(a) a\n" + asks) == "#define X(a) a\n\na\n\n\n\n\n");
  CHECK(left_of("#undef X\n" + asks, "#define X 1\n") == "#undef X\n\n\n\n\nb\n\n");
  CHECK(left_of("#if 0\n#define X\n#endif\n" + asks) == "\n\n\n\n\n\n\nb\n\n");
}

TEST_CASE("only directives are directives") {
  CHECK(left_of("/*\n#if 0\n*/ a\n") == "/*\n#if 0\n*/ a\n");
  CHECK(left_of("auto s = R\"x(\n#if 0\n)x\";\nb\n") == "auto s = R\"x(\n#if 0\n)x\";\nb\n");
  CHECK(left_of("#define M \\\n#if 0\na\n") == "#define M \\\n#if 0\na\n");
  CHECK(left_of("auto s = \"/*\"; // it's '\n#if 0\na\n#endif\n") == "auto s = \"/*\"; // it's '\n\n\n\n");
  CHECK(left_of("int n = 1'000;\n#if 0\na\n#endif\n") == "int n = 1'000;\n\n\n\n");
}

TEST_CASE("text that is no program does no harm") {
  CHECK(left_of("#endif\n#else\na\n") == "#endif\n#else\na\n");
  CHECK(left_of("#if") == "\n");
}

// Lone quotes in parts of a source that the preprocessor skips.
#include <doctest/doctest.h>

#include <string>

#include "driver/skipped_text.h"
#include "workplace.h"

using namespace simtlab::emulator;

namespace {

std::string replaced(const std::string& text) { return without_open_literals(text).value_or(text); }
std::string at(int line) { return std::string(open_literal) + std::to_string(line); }

}  // namespace

TEST_CASE("a line with a literal that does not end on it is replaced, at its number") {
  CHECK(replaced("a\ndon't\nb\n") == "a\n" + at(2) + "\nb\n");
  CHECK(replaced("say \"no\nb") == at(1) + "\nb");
  CHECK(replaced("it's\\\nlong\nb\n") == at(1) + "\n\nb\n");
  CHECK(replaced("x = R\"(open\nb\n") == at(1) + "\nb\n");
}

TEST_CASE("literals that end, numbers, comments and directives are left alone") {
  for (const char* text :
       {"char c = 'x', d = '\\'', e = '\"';\n", "const char* s = \"it's\";\n", "int million = 1'000'000;\n",
        "// don't\n", "/* don't\n say \"no */ int x;\n", "#error can't\n#define X don't\n",
        "auto s = R\"(it's\n\"open)\";\n", "const char* s = \"a\\\nb\";\n", "int x; /* it's */ int y; // \"\n"}) {
    CAPTURE(text);
    CHECK_FALSE(without_open_literals(text));
  }
}

TEST_CASE("a comment that ends in front of such a literal leaves the source to g++") {
  CHECK_FALSE(without_open_literals("/* one\n two */ don't\n"));
}

TEST_CASE(
    "a program with prose in skipped parts compiles, and a literal without its end in live code is told by its line") {
  const workplace place;
  const std::string head = "#include <cuda_runtime.h>\n#if 0\nDon't do this, it's \"wrong.\n#else\n";
  const std::string kernel = "__global__ void k(int* p) { *p = 'a'; }\n#endif\n";
  workplace::write("prose.cu", head + kernel + "int main() {}\n");
  CHECK(workplace::simtcc({"prose.cu", "-o", "prose"}).exit_code == 0);
  workplace::write("wrong.cu", head + kernel + "int main() {\n  char c = 'x;\n}\n");
  const auto wrong = workplace::simtcc({"wrong.cu", "-o", "wrong"});
  CHECK(wrong.exit_code != 0);
  CHECK(has(wrong.errors, "wrong.cu:8: error: a text or a character begins on this line"));
  CHECK_FALSE(has(wrong.errors, "unterminated"));
}

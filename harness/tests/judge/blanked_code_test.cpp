// The source as code alone.
#include "judge/decide/blanked_code.h"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/protocol/example.h"

using namespace simtlab;

TEST_CASE("comments, strings and characters are blanks, and lines stay where they are") {
  const example::temporary_folder folder;
  std::ofstream(folder.path / "kernel.cu")
      << "int a; // if (x) {\n/* {\n */ char c = '{'; f(\"}\");\nint big = 1'000;\n";
  const std::string code = code_of(source_text(folder.path / "kernel.cu"));
  CHECK(code.find_first_of("{}") == std::string::npos);
  CHECK(line_at(code, code.find("char")) == 3);
  CHECK(code.find("1'000") != std::string::npos);
  CHECK(code.substr(begin_of_line(code, 4), 3) == "int");
  CHECK(begin_of_line(code, 99) == code.size());
}

TEST_CASE("bodies are those of functions, words are whole, and brackets close as they open") {
  const std::string code = "struct s { int x; }; void f(int a) { if (a) { a = (a); } } int if_any;";
  REQUIRE(bodies(code).size() == 1);
  CHECK(code[bodies(code)[0].begin] == '{');
  CHECK(find_word(code, "if", 0) == code.find("if (a)"));
  CHECK(find_word(code, "any", 0) == std::string::npos);
  CHECK(code.substr(behind_bracket(code, code.find("(int"))).starts_with(" { if"));
  CHECK(behind_bracket("((", 0) == 2);
}

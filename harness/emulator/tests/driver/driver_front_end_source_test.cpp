// What clang reads of a program, by what `g++ -E -fdirectives-only` writes.
#include "driver/front_end_source.h"

#include <doctest/doctest.h>

using namespace simtlab::emulator;

namespace {

const std::string head =
    "# 0 \"k.cu\"\n# 0 \"<built-in>\"\n#define __GNUC__ 12\n#define __INT8_C(c) c\n#define __CHAR_BIT__ 8\n# 1 "
    "\"k.cu\"\n";

std::string read_by_clang(const std::string& preprocessed, const std::string& written = "") {
  return front_end_source(head + preprocessed, [&](const std::string&) { return written; });
}

}  // namespace

TEST_CASE("own lines keep their places, and what the preprocessor took out is not there") {
  CHECK(read_by_clang("#define N 3\n\nint a[N];\n# 40 \"k.cu\"\nint b;\n") ==
        "# 1 \"k.cu\"\n#define N 3\n# 3 \"k.cu\"\nint a[N];\n# 40 \"k.cu\"\nint b;\n");
}

TEST_CASE("a header of the system is included as the program names it, an own one is part of the text") {
  const std::string entered =
      "# 1 \"/usr/include/vector\" 1 3\nclass vector;\n# 1 \"/usr/include/memory\" 1 3\nint m;\n";
  const std::string left = "# 9 \"/usr/include/vector\" 2 3\nint v;\n# 2 \"k.cu\" 2\nint a;\n";
  CHECK(read_by_clang(entered + left, "#include <vector> // all\n") ==
        "#include <vector> // all\n# 2 \"k.cu\"\nint a;\n");
  CHECK(read_by_clang(entered + left, "#include NAMED\n") ==
        "#include \"/usr/include/vector\"\n# 2 \"k.cu\"\nint a;\n");
  CHECK(read_by_clang("# 1 \"own.cuh\" 1\nint o;\n# 2 \"k.cu\" 2\nint a;\n", "#include \"own.cuh\"\n") ==
        "# 1 \"own.cuh\"\nint o;\n# 2 \"k.cu\"\nint a;\n");
}

TEST_CASE("a macro of g++'s that the program mentions has g++'s value, but in headers of the system") {
  CHECK(read_by_clang("int a = __GNUC__;\n# 1 \"/usr/include/vector\" 1 3\n# 3 \"k.cu\" 2\nint b;\n",
                      "\n#include <vector>\n") ==
        "#pragma push_macro(\"__GNUC__\")\n#undef __GNUC__\n#define __GNUC__ 12\n# 1 \"k.cu\"\nint a = __GNUC__;\n"
        "#pragma pop_macro(\"__GNUC__\")\n#include <vector>\n"
        "#pragma push_macro(\"__GNUC__\")\n#undef __GNUC__\n#define __GNUC__ 12\n# 3 \"k.cu\"\nint b;\n");
}

TEST_CASE("a macro of clang's that the program mentions is not defined") {
  CHECK(read_by_clang("#define NAME(x) #x\nconst char* a = NAME(__clang_major__);\n")
            .starts_with("#pragma push_macro(\"__clang_major__\")\n#undef __clang_major__\n# 1 \"k.cu\"\n"));
}

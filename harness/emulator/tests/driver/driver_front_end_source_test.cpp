// What a CUDA front end reads of a program, by what g++'s preprocessor makes of it.
#include "driver/front_end_source.h"

#include <doctest/doctest.h>

using namespace simtlab::emulator;

namespace {

const std::string head = "# 0 \"k.cu\"\n# 0 \"<built-in>\"\n#define __GNUC__ 12\n# 1 \"k.cu\"\n";

std::string read_by_a_front_end(const std::string& expanded, const std::string& written = "") {
  return front_end_source(head + expanded, "/simtlab/include", [&](const std::string&) { return written; });
}

std::string hidden(const std::string& name) { return "#pragma push_macro(\"" + name + "\")\n#undef " + name + "\n"; }
std::string shown(const std::string& name) { return "#pragma pop_macro(\"" + name + "\")\n"; }

}  // namespace

TEST_CASE("own lines keep their places, directives and what the preprocessor took out are not there") {
  CHECK(read_by_a_front_end("#define N 3\n\n;\n#pragma unroll\n# 40 \"k.cu\"\n  [4];\n") ==
        "# 3 \"k.cu\"\n;\n#pragma unroll\n# 40 \"k.cu\"\n  [4];\n");
}

TEST_CASE("what a macro of the system's stands for is the program's own text, in whatever file") {
  CHECK(read_by_a_front_end("(\n# 1 \"k.cu\" 3\n 12000\n# 1 \"k.cu\"\n );\n") ==
        "# 1 \"k.cu\"\n(\n# 1 \"k.cu\"\n 12000\n# 1 \"k.cu\"\n );\n");
  CHECK(read_by_a_front_end("# 1 \"own.cuh\" 1\n# 2 \"own.cuh\" 3\n;\n# 2 \"k.cu\" 2\n()\n",
                            "#include \"own.cuh\"\n") == "# 2 \"own.cuh\"\n;\n# 2 \"k.cu\"\n()\n");
}

TEST_CASE("a header of the system is included as the program names it, by its name alone") {
  const std::string entered =
      "# 1 \"/usr/include/vector\" 1 3\nclass vector;\n# 1 \"/usr/include/memory\" 1 3\nint m;\n";
  const std::string left = "# 9 \"/usr/include/vector\" 2 3\nint v;\n# 2 \"k.cu\" 2\n;\n";
  const std::string here = "# 2 \"k.cu\"\n;\n";
  CHECK(read_by_a_front_end(entered + left, "#include <vector> /* all\n") == "#include <vector>\n" + here);
  CHECK(read_by_a_front_end(entered + left, "#include NAMED\n") == "#include \"/usr/include/vector\"\n" + here);
  CHECK(read_by_a_front_end(entered + left, "#include <list>\n") == "#include \"/usr/include/vector\"\n" + here);
  CHECK(read_by_a_front_end("# 1 \"/simtlab/include/cuda_fp16.h\" 1 3\nint h;\n# 3 \"k.cu\" 2\n;\n",
                            "#include \\\n x\n") == "#include <cuda_fp16.h>\n# 3 \"k.cu\"\n;\n");
}

TEST_CASE("a header that the emulator's own had included before is there for a front end whose headers have not") {
  const std::string before =
      "# 0 \"k.cu\"\n# 0 \"<command-line>\"\n# 1 \"/simtlab/include/cuda_runtime.h\" 1 3\n"
      "# 1 \"/usr/include/cstdint\" 1 3\nint c;\n# 2 \"/simtlab/include/cuda_runtime.h\" 2 3\n"
      "# 0 \"<command-line>\" 2\n# 1 \"k.cu\"\n\n;\n";
  CHECK(front_end_source(before, "/simtlab/include", [](const std::string&) {
          return "#include <cstdint>\n;\n#if 0\n#include <windows.h>\n#endif\n";
        }) == "#include <cstdint>\n# 2 \"k.cu\"\n;\n");
}

TEST_CASE("a name of the program's own is no macro of a front end's, but in headers of the system") {
  CHECK(read_by_a_front_end("n;\n# 1 \"/usr/include/vector\" 1 3\nint m;\n# 3 \"k.cu\" 2\n;\n",
                            "\n#include <vector>\n") ==
        hidden("n") + "# 1 \"k.cu\"\nn;\n" + shown("n") + "#include <vector>\n" + hidden("n") + "# 3 \"k.cu\"\n;\n");
  CHECK(read_by_a_front_end("__global__ __launch_bounds__(8) __restrict__ L'x' u8\"y\" 1'000u and\n") ==
        "# 1 \"k.cu\"\n__global__ __launch_bounds__(8) __restrict__ L'x' u8\"y\" 1'000u and\n");
}

TEST_CASE("headers of the system see the macros that the program has at that place") {
  CHECK(read_by_a_front_end("#define NDEBUG 1\n#define N(x) x\n#undef N\n# 1 \"/usr/include/assert.h\" 1 3\nint m;\n"
                            "# 3 \"k.cu\" 2\nNDEBUG;\n",
                            "\n#include <assert.h>\n") ==
        hidden("NDEBUG") + "#define NDEBUG 1\n#include <assert.h>\n#undef NDEBUG\n# 3 \"k.cu\"\nNDEBUG;\n");
}

TEST_CASE("what a string holds is text, whatever it looks like") {
  const std::string raw = "R\"x(\n# 1 \"/usr/include/vector\" 1 3\n#define N 3\n\n)\" )x\";\n[0];\n";
  CHECK(read_by_a_front_end(raw) == "# 1 \"k.cu\"\n" + raw);
  const std::string quoted = "\"R\\\"(\"; '\"'; 1'0; \"# 1\" ;\n# 9 \"k.cu\"\n;\n";
  CHECK(read_by_a_front_end(quoted) == "# 1 \"k.cu\"\n" + quoted);
  CHECK(strings_of(head + "u8\"a\" R\"(b\nc)\" 'd'\n") == std::vector<std::string>{"\"a\"", "Rb\nc"});
}

TEST_CASE("CUDA's qualifiers stand for themselves, and a string that a macro makes of one is noticed") {
  const std::string text = with_qualifiers_kept("# 0 \"k.cu\"\n#define __global__ x\n# 1 \"k.cu\"\nint a;\n", "k.cu");
  CHECK(text.starts_with("# 0 \"k.cu\"\n#define __global__ x\n# 1 \"<qualifiers>\"\n#undef __host__\n"));
  CHECK(text.find("#undef __global__\n#define __global__ __global__\n") != std::string::npos);
  CHECK(text.find("#define __launch_bounds__(...) __launch_bounds__(__VA_ARGS__)\n") != std::string::npos);
  CHECK(text.ends_with("# 1 \"k.cu\"\nint a;\n"));
  CHECK(hold_qualifiers({"\"a\"", "\"x __global__ void\""}));
  CHECK_FALSE(hold_qualifiers({"\"global\""}));
}

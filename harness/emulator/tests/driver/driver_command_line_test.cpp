#include <doctest/doctest.h>

#include "driver/command_line.h"
#include "driver/hints.h"
#include "translator/unsupported_headers.h"

using namespace simtlab::emulator;

TEST_CASE("a command line as nvcc takes it") {
  const command_line c =
      parse_command_line({"-arch=sm_80", "-O3", "-I", "inc", "-DN=4", "-std=c++17", "-o", "prog", "a.cu", "b.cpp",
                          "-lm", "-Xcompiler", "-Wall,-pthread", "-gencode", "arch=compute_80,code=sm_80"});
  CHECK(c.inputs == std::vector<std::string>{"a.cu", "b.cpp", "-lm"});
  CHECK(c.output == "prog");
  CHECK(c.standard == "c++17");
  CHECK(c.preprocessing == std::vector<std::string>{"-Iinc", "-DN=4"});
  CHECK(c.warnings == std::vector<std::string>{"-Wall"});
  CHECK(c.linking == std::vector<std::string>{"-pthread"});
  CHECK_FALSE(c.compile_only);
}

TEST_CASE("nvcc's default dialect") { CHECK(parse_command_line({"a.cu"}).standard == "gnu++17"); }

TEST_CASE("a standard that is too old for the headers counts as C++17") {
  const auto standard_of = [](const char* option) { return parse_command_line({option, "a.cu"}).standard; };
  CHECK(standard_of("-std=c++11") == "c++17");
  CHECK(standard_of("-std=gnu++14") == "gnu++17");
  CHECK(standard_of("--std=c++0x") == "c++17");
  CHECK(standard_of("-std=c++20") == "c++20");
  CHECK(standard_of("-std=c++2b") == "c++2b");
  CHECK(standard_of("-std=11") == "11");  // g++ says what it thinks of it
}

TEST_CASE("what cannot be used is said") {
  CHECK_THROWS_WITH_AS(parse_command_line({}), doctest::Contains("no input file"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-o"}), doctest::Contains("-o needs a value"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "--frobnicate"}), doctest::Contains("--frobnicate is unknown"),
                       usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-lcublas"}), doctest::Contains("cublas is not part"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"-c", "-o", "x.o", "a.cu", "b.cu"}), doctest::Contains("compiles one file"),
                       usage_error);
  CHECK_THROWS_AS(parse_command_line({""}), usage_error);
}

TEST_CASE("nvcc's other options are taken, or refused with what to do instead") {
  const command_line c = parse_command_line(
      {"-rdc",         "true",      "-Xptxas", "-v",     "-Xcompiler", "-fopenmp,-O2",  "-Werror",
       "all-warnings", "-x",        "cu",      "-ccbin", "g++",        "a.cpp",         "--default-stream",
       "per-thread",   "-lineinfo", "-MMD",    "-MF",    "a.d",        "-cudart=static"});
  CHECK(c.inputs == std::vector<std::string>{"a.cpp"});
  CHECK(c.everywhere == std::vector<std::string>{"-fopenmp"});
  CHECK(c.host_options == std::vector<std::string>{"-O2"});
  CHECK(c.warnings == std::vector<std::string>{"-Werror"});
  CHECK(c.all_cuda);
  CHECK_THROWS_WITH_AS(parse_command_line({"-ptx", "a.cu"}), doctest::Contains("makes PTX"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"-dlink", "a.o"}), doctest::Contains("Leave the step out"), usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "-lcurand_static"}), doctest::Contains("not part"), usage_error);
}

TEST_CASE("options of the program are values for its environment") {
  const command_line c = parse_command_line({"a.cu", "--workers=3", "--checks", "off", "--gpu", "a100", "--annotate",
                                             "--report=r.json", "--run", "--run-args", "4,five"});
  CHECK(c.program_options == std::vector<std::string>{"SIMTLAB_WORKERS=3", "SIMTLAB_CHECKS=off", "SIMTLAB_GPU=a100",
                                                      "SIMTLAB_ANNOTATE=1", "SIMTLAB_REPORT=r.json"});
  CHECK(c.run);
  CHECK(c.run_arguments == std::vector<std::string>{"4", "five"});
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "--workers", "many"}), doctest::Contains("takes a number"),
                       usage_error);
  CHECK_THROWS_WITH_AS(parse_command_line({"a.cu", "--checks=maybe"}), doctest::Contains("on or off"), usage_error);
}

TEST_CASE("libraries that the emulator does not have are known by their headers") {
  for (const char* header : {"curand_kernel.h", "/usr/local/cuda/include/curand.h", "thrust/device_vector.h",
                             "/usr/local/cuda/include/cccl/cub/cub.cuh", "cooperative_groups.h", "mma.h",
                             "cutil_inline.h", "cublas_v2.h", "opencv2/core.hpp"}) {
    CAPTURE(header);
    CHECK_FALSE(why_unsupported(header).empty());
  }
  for (const char* header : {"cuda_fp16.h", "math.h", "my_thrust/x.h", "cubic.h", "kernels/gamma.h"}) {
    CAPTURE(header);
    CHECK(why_unsupported(header).empty());
  }
}

TEST_CASE("a missing header of a library is explained, another is not") {
  CHECK(hint_for("thrust/sort.h: No such file or directory").find("does not have") != std::string::npos);
  CHECK(hint_for("tiles.cuh: No such file or directory").find("-I") != std::string::npos);
  CHECK(hint_for("unused variable 'x'").empty());
  CHECK(hint_for("lab.cpp:(.text+0x25): undefined reference to `scale_rows(int)'").find("stub") != std::string::npos);
  CHECK(hint_for("k.cpp:(.text+0x25): undefined reference to `scale_rows(int)'").find("stub") == std::string::npos);
  CHECK_FALSE(hint_for("'threadIdx' was not declared in this scope").empty());
  CHECK(hint_for("'treadIdx' was not declared in this scope; did you mean 'threadIdx'?").empty());
}

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

TEST_CASE("libraries that the emulator does not have are known by their headers") {
  for (const char* header :
       {"curand_kernel.h", "/usr/local/cuda/include/curand.h", "thrust/device_vector.h",
        "/usr/local/cuda/include/cccl/cub/cub.cuh", "cooperative_groups.h", "mma.h", "opencv2/core.hpp"}) {
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
}

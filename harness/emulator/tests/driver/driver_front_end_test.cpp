// What counts of a real CUDA front end's messages, by messages that nvcc and clang wrote.
#include "driver/front_end.h"

#include <doctest/doctest.h>

using namespace simtlab::emulator;

TEST_CASE("clang: a rule of CUDA counts, what is C++ is g++'s to say") {
  const auto found = errors_of_clang(
      "k.cu:3:14: error: use of undeclared identifier 'q'\n"
      "k.cu:4:9: error: reference to __host__ variable 'table' in __global__ function\n"
      "  p[0] = table[1];\n         ^\n"
      "k.cu:2:5: note: host variable declared here\n"
      "/headers/cuda_runtime.h:9:1: error: reference to __host__ variable 'ours' in __device__ function\n"
      "2 errors generated when compiling for sm_70.\n",
      "/headers");
  REQUIRE(found.size() == 1);
  CHECK(found[0].file == "k.cu");
  CHECK(found[0].line == 4);
  CHECK(found[0].column == 9);
  CHECK(found[0].message.starts_with("device code uses 'table', which is a host variable"));
}

TEST_CASE("clang: a device function may be named on the host, and not called") {
  const auto at = [](const std::string& line) {
    return errors_of_clang(
               "k.cu:1:6: error: reference to __device__ function 'd' in __host__ function\n" + line + "\n     ^\n",
               "/headers")
        .size();
  };
  CHECK(at("f = &d;") == 0);
  CHECK(at("f = &d(1);") == 1);
  CHECK(at("f = &d<int>(1);") == 1);
  const auto found = errors_of_clang(
      "k.cu:1:6: error: reference to __device__ function 'd' in __host__ function\nf = &d(1);\n     ^\n", "/headers");
  REQUIRE(found.size() == 1);
  CHECK(found[0].from_host);
}

TEST_CASE("nvcc: what it refuses counts as it is, the later tools' errors have no place") {
  const auto found = errors_of_nvcc(
      "k.cu(12): error: calling a __host__ function(\"h(int)\") from a __global__ function(\"k\") is not allowed\n"
      "k.cu(13): warning #177-D: variable \"x\" was declared but never referenced\n"
      "ptxas error   : Entry function '_Z1kPi' uses too much shared data (0x10000 bytes, 0xc000 max)\n"
      "1 error detected in the compilation of \"k.cu\".\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].line == 12);
  CHECK(found[0].message.starts_with("calling a __host__ function"));
  CHECK(found[1].file.empty());
  CHECK(found[1].message.starts_with("Entry function"));
}

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

TEST_CASE("nvcc and its tools place their errors in several forms") {
  const auto only = [](const std::string& line) {
    const auto found = errors_of_nvcc(line + "\n");
    return found.size() == 1 ? found[0].file + "|" + std::to_string(found[0].line) + "|" + found[0].message : "none";
  };
  CHECK(only("lab 2/k.cu(12): error: expected a \";\"") == "lab 2/k.cu|12|expected a \";\"");
  CHECK(only("gpu:lab/k.cu(12): error #20: identifier \"x\" is undefined") ==
        "gpu:lab/k.cu|12|identifier \"x\" is undefined");
  CHECK(only("k.cu:12:3: error: 'x' was not declared") == "k.cu|12|'x' was not declared");
  CHECK(only("k.cu:12: fatal error: a.h: No such file or directory") == "k.cu|12|a.h: No such file or directory");
  CHECK(only("ptxas k.ptx, line 7; fatal   : Parsing error near '.x': syntax error") ==
        "|0|Parsing error near '.x': syntax error");
  CHECK(only("nvcc fatal   : Unsupported gpu architecture 'compute_1'") ==
        "|0|Unsupported gpu architecture 'compute_1'");
  CHECK(only("nvlink error   : Undefined reference to 'f' in 'k.o'") == "|0|Undefined reference to 'f' in 'k.o'");
  CHECK(only("k.cu(13): warning #177-D: variable \"x\" was declared but never referenced") == "none");
}

TEST_CASE("each of clang's errors that state a rule of CUDA is told in a student's words, with the name it is about") {
  const auto told = [](const std::string& said) {
    const auto found = errors_of_clang("gpu:lab/k.cu:3:5: error: " + said + "\nname(1);\n", "/headers");
    REQUIRE_MESSAGE(found.size() == 1, said);
    CHECK(found[0].file == "gpu:lab/k.cu");
    CHECK(found[0].line == 3);
    CHECK_MESSAGE(found[0].message.find('$') == std::string::npos, found[0].message);
    return found[0].message;
  };
  for (const char* said :
       {"reference to __device__ function 'name' in __host__ function",
        "reference to __host__ variable 'name' in __device__ function",
        "reference to __host__ variable 'name' in __host__ __device__ function",
        "call to global function name not configured", "call to global function 'name' not configured",
        "kernel call to non-global function name", "kernel call to non-global function 'name'",
        "kernel function type 'name' must have void return type",
        "kernel function 'name' must be a free function or static member function",
        "__global__ function 'name' cannot overload __host__ function 'other'",
        "'__global__' and 'name' attributes are not compatible", "cannot use 'name' in __global__ function"})
    CHECK_MESSAGE(told(said).find("name") != std::string::npos, said);
  for (const char* said :
       {"cannot use variable-length arrays in __global__ function",
        "cannot use variable-length arrays in __device__ functions",
        "__shared__ local variables not allowed in __host__ functions",
        "initialization is not supported for __shared__ variables",
        "initialization is not supported for __shared__ variables.",
        "dynamic initialization is not supported for __device__, __constant__, __shared__, and __managed__ variables."})
    CHECK_FALSE(told(said).empty());
}

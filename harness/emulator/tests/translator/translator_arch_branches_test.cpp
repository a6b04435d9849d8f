#include "translator/arch_branches.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using simtlab::emulator::arch_branches;

namespace {

/// The lines that are told.
std::vector<int> lines(const char* source) {
  std::vector<int> result;
  for (const auto& b : arch_branches(source).met_by_host) result.push_back(b.line);
  return result;
}

}  // namespace

TEST_CASE("a choice in device code is the device's, and nothing is told") {
  CHECK(lines("__global__ void k() {\n#if __CUDA_ARCH__ >= 700\n  __syncwarp();\n#endif\n}\n").empty());
  CHECK(lines("__device__ int f() {\n#ifdef __CUDA_ARCH__\n  return 1;\n#else\n  return 2;\n#endif\n}\n").empty());
  CHECK(lines("#if __CUDA_ARCH__ < 600\n__device__ double add(double* p) { return *p; }\n#endif\n").empty());
  CHECK(lines("// #ifdef __CUDA_ARCH__\nconst char* s = \"__CUDA_ARCH__ {\";\nint main() {}\n").empty());
}

TEST_CASE("a choice that host code meets is told at its line") {
  CHECK(lines("__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n  return 1;\n#else\n  return 2;\n#endif\n}\n") ==
        std::vector<int>{2});
  CHECK(lines("int main() {\n  if (1) {\n#ifdef __CUDA_ARCH__\n  }\n#else\n  }\n#endif\n}\n") == std::vector<int>{3});
  CHECK(lines("namespace n {\n#ifndef __CUDA_ARCH__\nint host() { return 1; }\n#endif\n}\n") == std::vector<int>{2});
}

TEST_CASE("a macro that is chosen is told where host code uses it first, and never in device code") {
  const std::string chosen = "#ifdef __CUDA_ARCH__\n#define X 1\n#else\n#define X 2\n#endif\n";
  CHECK(lines((chosen + "__global__ void k(int* p) { *p = X; }\n").c_str()).empty());
  CHECK(lines((chosen + "int f() {\n  return X + X;\n}\n").c_str()) == std::vector<int>{7});
}

TEST_CASE("lines outside device functions that a branch or its macros choose are known") {
  const std::string both =
      "__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n  return g();\n#else\n  return 2;\n#endif\n}\n";
  CHECK(arch_branches(both).lines == std::set<int>{3, 5});
  const std::string chosen = "#ifdef __CUDA_ARCH__\n#define X g()\n#else\n#define X 2\n#endif\n";
  CHECK(arch_branches(chosen + "int f() {\n  return X;\n}\nint h() { return X; }\n").lines == std::set<int>{7, 9});
  CHECK(arch_branches("__device__ int f() {\n#ifdef __CUDA_ARCH__\n  return g();\n#endif\n}\n").lines.empty());
}

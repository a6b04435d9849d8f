// The branches around a shuffle or a barrier that not all threads reach.
#include "judge/decide/branch_lines.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/protocol/example.h"

using namespace simtlab;

namespace {

finding at_line(int line, const std::string& rule = "inactive-lane") {
  finding f;
  f.rule = rule;
  f.kernel = "k";
  f.first = {"kernel.cu", line, {}, {}, "reads from lane 16"};
  return f;
}

std::vector<int> branches(const std::string& code, const finding& f) {
  const example::temporary_folder folder;
  std::ofstream(folder.path / "kernel.cu") << code;
  return branch_lines(f, source_text(folder.path / "kernel.cu"));
}

const std::string tree =
    "__global__ void k(float* out) {\n"                                              // 1
    "  const int t = threadIdx.x, half = 16;\n"                                      //
    "  int lane = t % 32;\n"                                                         //
    "  if (t >= 32) return;\n"                                                       // 4
    "  float own = 1;\n"                                                             //
    "  if (t < 32) {\n"                                                              // 6
    "    for (int d = 16; d > 0; d /= 2) {\n"                                        // 7
    "      if (lane < d)  // if (t)\n"                                               // 8
    "        own += __shfl_down_sync(~0u, own, d);\n"                                // 9
    "      if (d == 1) __syncthreads(); else if (half == t) { __syncthreads(); }\n"  // 10
    "    }\n"                                                                        //
    "  }\n"                                                                          //
    "  for (int i = t; i < 40; i += 32)\n"                                           // 13
    "    own = __shfl_sync(~0u, own, 0);\n"                                          // 14
    "  if (t == 0) out[0] = own;\n"                                                  // 15
    "  own = __shfl_sync(~0u, own, 1);\n"                                            // 16
    "}\n";

}  // namespace

TEST_CASE("the branches around a shuffle are those whose condition depends on the lane") {
  CHECK(branches(tree, at_line(9)) == std::vector<int>{8});
  CHECK(branches(tree, at_line(14)) == std::vector<int>{13});
  CHECK(branches(tree, at_line(16)).empty());
}

TEST_CASE("of a block's barrier a comparison with whole warps is one of them, too") {
  CHECK(branches(tree, at_line(9, "divergent-barrier")) == std::vector<int>{8, 6});
  CHECK(branches(tree, at_line(9, "shared-race")).empty());
}

TEST_CASE("half a source, and lines that it does not have, are no trouble") {
  CHECK(branches("__global__ void k() { if (threadIdx.x < 3", at_line(1)).empty());
  CHECK(branches(tree, at_line(99)).empty());
  CHECK(branches("", at_line(1)).empty());
  finding elsewhere = at_line(9);
  elsewhere.first.file = "other.h";
  CHECK(branches(tree, elsewhere).empty());
}

TEST_CASE("a return behind a comparison with whole warps parts none") {
  const example::temporary_folder folder;
  std::ofstream(folder.path / "kernel.cu") << tree << "if (t > n) { return; }\nreturn;\n";
  const source_text source(folder.path / "kernel.cu");
  CHECK(returns_that_part_a_warp({4}, source).empty());
  CHECK(returns_that_part_a_warp({4, 18, 19}, source) == std::vector<int>{18, 19});
}

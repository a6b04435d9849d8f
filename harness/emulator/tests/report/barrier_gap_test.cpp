// Where a barrier is missing, when the kernel has one elsewhere.
#include "report/barrier_gap.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace simtlab::emulator;

namespace {

constexpr const char* tiled = R"(__global__ void tiled(float* a, int n) {
  __shared__ float t[64];
  for (int phase = 0; phase < n; ++phase) {
    // for (int wrong = 0;;) {
    t[threadIdx.x] = a[phase];
    __syncthreads();
    for (int k = 0; k < 64; ++k) a[phase] += t[k];
  }
  while (n > 0) {
    t[0] = n--;
  }
}
)";

}  // namespace

TEST_CASE("the counter of the innermost loop around both lines") {
  CHECK(loop_counter(tiled, 5, 7) == "phase");
  CHECK(loop_counter(tiled, 10, 10) == "");
  CHECK(loop_counter(tiled, 2, 7) == "");
  CHECK(loop_counter("for (auto* p = first; p != last; p += 1) {\n  a;\n  b;\n}\n", 2, 3) == "p");
  CHECK(loop_counter("for (;;) {\n  a;\n}\n", 2, 2) == "");
  CHECK(loop_counter("", 1, 1) == "");
}

TEST_CASE("no barrier, one between in the source, one on the other side") {
  const std::string file = std::filesystem::temp_directory_path() / "simtlab-barrier-gap-test.cu";
  std::ofstream(file) << tiled;
  const auto at = [&](int line) { return source_line{file, line}; };
  CHECK(barrier_gap_text(at(5), at(7), {}) == "there is no __syncthreads() between them. ");
  CHECK(
      barrier_gap_text(at(7), at(5), at(6)) ==
      "the __syncthreads() of line 6 does not come between them: it is missing between line 7 of one pass of the loop "
      "over phase and line 5 of the next. ");
  CHECK(barrier_gap_text(at(7), at(8), at(6)) ==
        "the __syncthreads() of line 6 does not come between them: it is missing between line 7 and line 8. ");
  CHECK(barrier_gap_text({"gone.cu", 7}, {"gone.cu", 5}, {"gone.cu", 6}).find("of the loop and line 5") !=
        std::string::npos);
  std::filesystem::remove(file);
}

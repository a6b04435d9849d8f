// `make profile`: each line of the source with what it costs.
#include "judge/render/profile.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "emulator/tests/has.h"
#include "judge/wording.h"
#include "tests/protocol/example.h"

using namespace simtlab;

namespace profile_test {  // other tests have helpers of the same names

namespace {

const char* const source_lines[] = {
    "__global__ void transpose(const float* input, float* output, int n) {",     "  __shared__ float tile[32][32];",
    "  tile[threadIdx.y][threadIdx.x] = input[threadIdx.y * n + threadIdx.x];",  "  __syncthreads();",
    "  output[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];", "}"};

access_counters access(int line, const char* space, const char* kind, const char* variable) {
  access_counters a;
  a.file = "kernel.cu";
  a.line = line;
  a.space = space;
  a.access = kind;
  a.variable = variable;
  a.requests = 32;
  a.lanes = 1024;
  return a;
}

case_outcome unpadded_transpose() {
  case_outcome run;
  run.judged = verdict::pass;
  run.of = {{"n", 32}};
  launch_counters l;
  l.kernel = "transpose";
  l.block = {32, 32, 1};
  l.shared_bytes = 4096;
  l.barriers = 1;
  l.steps = 640;
  auto in = access(3, "global", "read", "input"), out = access(5, "global", "write", "output");
  in.sectors = in.ideal_sectors = out.sectors = out.ideal_sectors = 128;
  auto stores = access(3, "shared", "write", "tile"), loads = access(5, "shared", "read", "tile");
  stores.wavefronts = stores.ideal_wavefronts = loads.ideal_wavefronts = 32;
  loads.wavefronts = 1024;
  l.accesses = {in, stores, out, loads};
  run.measured.launches = {l};
  finding f;
  f.rule = "out-of-bounds";
  f.message = "Thread (0,0,0) writes past the end.";
  f.first = {"kernel.cu", 5, {}, {}, "writes"};
  run.measured.findings = {f};
  return run;
}

std::string profile(std::size_t width) {
  const example::temporary_folder folder;
  {
    std::ofstream to(folder.path / "kernel.cu");
    for (const char* line : source_lines) to << line << "\n";
  }
  return profile_text(unpadded_transpose(), source_text(folder.path / "kernel.cu"), text_style(false), width);
}

}  // namespace

TEST_CASE("every line of the source is there, with its counters") {
  const std::string text = profile(120);
  for (const char* line : source_lines) CHECK_MESSAGE(has(text, std::string(line).substr(0, 60)), line);
  CHECK(has(text, "      32    4        32   3|   tile[threadIdx.y]"));
  CHECK(has(text, "      32        32   32"));  // the conflicting load
}

TEST_CASE("a launch's occupancy names what limits it, on the GPU that is asked for") {
  CHECK(has(profile(120), "occupancy 100 %: 2 blocks fit on a multiprocessor of simtlab emulator, 64 of 64 warps, "));
  setenv("SIMTLAB_GPU", "t4", 1);
  const std::string text = profile(120);
  unsetenv("SIMTLAB_GPU");
  CHECK(has(text, "occupancy 100 %: 1 block fits on a multiprocessor of Tesla T4, 32 of 32 warps, "));
}

TEST_CASE("what a GPU does not count is not told as nothing") {
  case_outcome run = unpadded_transpose();
  CHECK(has(profile_text(run, source_text("kernel.cu"), text_style(false), 120), "4096 B shared, 1 barriers"));
  run.measured.launches[0].steps = run.measured.launches[0].barriers = 0;
  const std::string text = profile_text(run, source_text("kernel.cu"), text_style(false), 120);
  CHECK(has(text, "transpose: grid 1x1x1, block 32x32x1, 4096 B shared\n"));
  for (const char* words : {"barriers", "divergent", "occupancy"}) CHECK_MESSAGE(!has(text, words), words);
}

TEST_CASE("launches that are alike have one header") {
  case_outcome run = unpadded_transpose();
  run.measured.launches.resize(40, run.measured.launches[0]);
  const std::string text = profile_text(run, source_text("kernel.cu"), text_style(false), 200);
  CHECK(
      has(text, "4096 B shared, 40 barriers, 0.0 % of steps divergent (40 launches like this one, counted together)"));
  CHECK(text.find("transpose: grid") == text.rfind("transpose: grid"));
}

TEST_CASE("a line with several accesses tells them apart") {
  const std::string text = profile(120);
  CHECK(has(text, "also write tile (shared)"));
  CHECK(has(text, "also read tile (shared)"));
}

TEST_CASE("the worst line comes first in the summary, with what would do") {
  const std::string text = profile(120);
  CHECK(has(text, "worst lines first\n  kernel.cu:5 read tile: 32 wavefronts per request where 1 would do"));
  CHECK(!has(text, "kernel.cu:3 read input"));
}

TEST_CASE("a finding stands under its line") {
  const std::string text = profile(120);
  CHECK(text.find("out-of-bounds: Thread (0,0,0)") > text.find("output[threadIdx.y"));
}

TEST_CASE("a wrong or racy kernel is not praised for what it costs") {
  const auto end_of = [](verdict judged, severity level) {
    case_outcome run = unpadded_transpose();
    run.judged = judged;
    for (access_counters& a : run.measured.launches[0].accesses) a.wavefronts = a.ideal_wavefronts;
    run.measured.findings[0].level = level;
    return profile_text(run, source_text(""), text_style(false), 100);
  };
  const std::string praise = "no line wastes a sector or a wavefront", advice = "Make it right first";
  CHECK(has(end_of(verdict::pass, severity::warning), praise));
  CHECK_FALSE(has(end_of(verdict::pass, severity::warning), advice));
  for (const verdict judged : {verdict::wrong_answer, verdict::unsafe, verdict::crash, verdict::timeout}) {
    CHECK_FALSE(has(end_of(judged, severity::warning), praise));
    CHECK(has(end_of(judged, severity::warning), advice));
  }
  CHECK_FALSE(has(end_of(verdict::pass, severity::error), praise));
  CHECK(has(end_of(verdict::pass, severity::error), advice));
}

TEST_CASE("where most lanes of a line wait, that line is named, however well its requests are served") {
  case_outcome run = unpadded_transpose();
  run.measured.findings.clear();
  for (access_counters& a : run.measured.launches[0].accesses) a.wavefronts = a.ideal_wavefronts;
  for (access_counters& a : run.measured.launches[0].accesses) a.lanes = 5 * a.requests;
  const std::string text = profile_text(run, source_text(""), text_style(false), 100);
  CHECK(has(text, "no line wastes a sector or a wavefront, but kernel.cu:"));
  CHECK(has(text, " works with 5 of 32 lanes\n"));
}

TEST_CASE("it fits a terminal") {
  for (const std::size_t width : {80U, 100U}) {
    std::stringstream lines(profile(width));
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      CHECK(columns(line) <= width);
    }
  }
}

}  // namespace profile_test

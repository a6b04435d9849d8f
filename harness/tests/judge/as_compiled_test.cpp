// `make profile ENGINE=sass`: what nvcc made of each access beside what the source says.
#include "judge/render/as_compiled.h"
#include "emulator/tests/has.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace simtlab;

namespace {

access_counters access(int line, const char* space, const char* kind, std::uint64_t requests, std::uint64_t width) {
  access_counters a;
  a.file = "kernel.cu";
  a.line = line;
  a.space = space;
  a.access = kind;
  a.variable = "tile";
  a.width = width;
  a.requests = requests;
  a.lanes = 32 * requests;
  a.wavefronts = requests * width / 4;
  return a;
}

case_outcome run_with(const std::vector<access_counters>& accesses, std::uint64_t registers = 0) {
  case_outcome run;
  run.judged = verdict::pass;
  launch_counters l;
  l.kernel = "multiply";
  l.registers = registers;
  l.accesses = accesses;
  run.measured.launches = {l};
  return run;
}

std::string text_of(const case_outcome& written, const case_outcome& compiled) {
  return as_compiled_text(written, compiled, source_text(), text_style(false), 200);
}

}  // namespace

TEST_CASE("four loads in one are said to be that") {
  const std::string text =
      text_of(run_with({access(7, "shared", "read", 64, 4)}), run_with({access(7, "shared", "read", 16, 16)}, 32));
  CHECK_MESSAGE(has(text, "nvcc reads four of these at once: 16 bytes a lane instead of 4."), text);
  CHECK_MESSAGE(has(text, "as written   64 requests, 64 wavefronts"), text);
  CHECK_MESSAGE(has(text, "as compiled  16 requests, 64 wavefronts"), text);
}

TEST_CASE("an access that nvcc keeps in a register is none") {
  const std::string text = text_of(run_with({access(7, "shared", "write", 64, 4)}), run_with({}, 32));
  CHECK_MESSAGE(has(text, "nvcc's code makes no such access"), text);
}

TEST_CASE("registers, stack and spills stand at the head") {
  case_outcome compiled = run_with({}, 40);
  CHECK_MESSAGE(has(text_of(run_with({}), compiled), "multiply: 40 registers a thread, no spills"),
                text_of(run_with({}), compiled));
  compiled.measured.launches[0].stack_bytes = 64;
  compiled.measured.launches[0].spill_bytes = 24;
  CHECK(has(text_of(run_with({}), compiled), "multiply: 40 registers a thread, 64 bytes of stack, 24 bytes of spills"));
}

TEST_CASE("what costs the same is only counted") {
  const auto both = access(7, "shared", "read", 64, 4);
  const std::string text = text_of(run_with({both}), run_with({both}, 32));
  CHECK_MESSAGE(has(text, "1 of 1 accesses cost the same on both sides"), text);
  CHECK(!has(text, "kernel.cu:7"));
}

TEST_CASE("a kernel that ran as g++ compiled it says so") {
  CHECK(has(text_of(run_with({}), run_with({}, 0)), "multiply: ran as g++ compiled it"));
}

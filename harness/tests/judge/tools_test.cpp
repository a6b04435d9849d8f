// The judge with stand-ins for Nsight Compute and compute-sanitizer, which print what the real ones printed on an H200.
#include <doctest/doctest.h>

#include <fstream>

#include "emulator/tests/has.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace {

// Options are taken off until the program comes; RUN runs it.
constexpr const char* take_options = R"(#!/bin/bash
recorded=RECORDED
while [ $# -gt 0 ]; do case $1 in
  --import) case " $* " in *" raw "*) cat "$recorded/transpose.raw.csv" ;; *) cat "$recorded/transpose.source.csv" ;; esac; exit ;;
  --export) export=$2; shift 2 ;;
  --log-file) log=$2; shift 2 ;;
  --tool) tool=$2; shift 2 ;;
  --force-overwrite) shift ;;
  --*) shift 2 ;;
  *) break ;;
esac; done
)";

class stand_in {
 public:
  explicit stand_in(const std::string& rest) {
    std::string text = take_options + rest;
    const std::string place = "RECORDED";
    text.replace(text.find(place), place.size(), setting("TEST_FOLDER") + "/recorded");
    std::ofstream(path()) << text;
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
  [[nodiscard]] std::string path() const { return (folder_.path / "tool").string(); }

 private:
  example::temporary_folder folder_;
};

const char* const counts = "\"$@\"; touch \"$export\"; echo ==PROF== >\"$log\"\n";
const char* const may_not = "echo '==ERROR== ERR_NVGPUCTRPERM - no permission' >\"$log\"; exit 1\n";

json counted_with(const std::string& tool) {
  const example::temporary_folder folder;
  const std::string file = (folder.path / "counters.json").string();
  const process_outcome o = run_judge("scale", "right", {"--backend", "cuda", "--counters", tool, "--count", file});
  REQUIRE_MESSAGE(o.exit_code == 0, o.printed);
  return json::parse(contents(file));
}

std::string profiled_with(const std::string& tool) {
  const std::string source = setting("TEST_FOLDER") + "/kernel.cu";
  return run_judge("scale", "right", {"--backend", "cuda", "--counters", tool, "--profile", source}).printed;
}

}  // namespace

TEST_CASE("what Nsight Compute counted stands under the emulator's names") {
  const json counted = counted_with(stand_in(counts).path());
  CHECK(counted["problem"] == "");
  REQUIRE(counted["launches"].size() == 1);
  CHECK(counted["launches"][0]["kernel"] == "transpose_tile");
  CHECK(counted["launches"][0]["accesses"][0]["sectors"] == 16384);
  CHECK(has(profiled_with(stand_in(counts).path()), "transpose_tile: grid 8x16x1"));
}

TEST_CASE("without the right to count, or without the tool, a sentence says what to ask for") {
  CHECK(has(counted_with(stand_in(may_not).path())["problem"].get<std::string>(),
            "NVreg_RestrictProfilingToAdminUsers=0"));
  CHECK(has(profiled_with(stand_in(may_not).path()), "The GPU counted nothing: Only an administrator may read"));
  CHECK(has(profiled_with("/no/such/ncu"), "The GPU counted nothing: Nsight Compute (/no/such/ncu)"));
}

// Facts would be timed as well, which takes ten seconds: the face of `make test` tells the same.
TEST_CASE("a finding of compute-sanitizer makes a right answer unsafe") {
  const stand_in tool(
      "\"$@\"; cat \"$recorded/$([ $tool = racecheck ] && echo missing-barrier || echo empty).txt\" >\"$log\"\n");
  const process_outcome o = run_judge("scale", "right", {"--backend", "cuda", "--sanitizer", tool.path(), "-tc=safe"});
  CHECK(o.exit_code == 1);
  CHECK(has(o.printed, "1 finding of severity error"));
  CHECK(has(o.printed, "error shared-race in transpose_tile"));
  CHECK(has(o.printed, "08-missing-barrier.cu:13 and 08-missing-barrier.cu:18"));
  const process_outcome correct =
      run_judge("scale", "right", {"--backend", "cuda", "--sanitizer", tool.path(), "-tc=correct"});
  CHECK(correct.exit_code == 0);
}

TEST_CASE("without compute-sanitizer the verdict stands, and one sentence says why") {
  const process_outcome o =
      run_judge("scale", "right", {"--backend", "cuda", "--sanitizer", "/no/such/tool", "-tc=safe"});
  CHECK(o.exit_code == 0);
  CHECK(has(o.printed, "compute-sanitizer (/no/such/tool) could not be started"));
}

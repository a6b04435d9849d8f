// What compute-sanitizer 2025.3 printed on an H200 about planted bugs, read.
#include "judge/gpu/sanitizer_report.h"

#include <doctest/doctest.h>

#include "judge/wording.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace sanitizer_report_test {  // other tests have helpers of the same names

namespace {

std::string recorded(const std::string& name) {
  return contents(setting("TEST_FOLDER") + "/recorded/" + name + ".txt");
}

finding only_finding(const std::string& name) {
  const std::vector<finding> found = findings_of_sanitizer(recorded(name));
  REQUIRE_MESSAGE(found.size() == 1, name);
  return found.front();
}

}  // namespace

TEST_CASE("an access has rule, line, thread and a sentence") {
  const finding f = only_finding("write-past-the-end");
  CHECK(f.rule == "out-of-bounds");
  CHECK(f.level == severity::error);
  CHECK(f.kernel == "fill_inclusive");
  CHECK(f.first.file == "planted_bugs.cu");
  CHECK(f.first.line == 41);
  CHECK(f.first.action == "writes");
  CHECK(f.first.thread == coordinates{0, 0, 0});
  CHECK(f.first.block == coordinates{1, 0, 0});
  CHECK(f.message ==
        "An access of 4 bytes lies outside of every allocation; the nearest one, of 512 bytes, lies 1 bytes before it. "
        "Compare the index with the array's size before the access.");
}

TEST_CASE("the rules are the emulator's") {
  CHECK(only_finding("misaligned").rule == "misaligned");
  CHECK(only_finding("misaligned").times == 3);
  CHECK(only_finding("shared-out-of-bounds").rule == "out-of-bounds");
  CHECK(only_finding("null-pointer").rule == "invalid-address");
  CHECK(only_finding("double-free").rule == "invalid-free");
  CHECK(only_finding("failed-assertion").rule == "failed-assertion");
  CHECK(only_finding("uninitialised-global").rule == "uninitialised-global");
  CHECK(only_finding("divergent-barrier").rule == "divergent-barrier");
  CHECK(only_finding("no-bounds-guard").kernel == "transpose_tile");
}

TEST_CASE("a race names both lines once, and a warning stays one") {
  const finding race = only_finding("missing-barrier");
  CHECK(race.rule == "shared-race");
  CHECK(race.first.action == "writes");
  CHECK(race.first.line == 13);
  REQUIRE(race.second);
  CHECK(race.second->line == 18);
  CHECK(race.second->action == "reads");
  CHECK(race.times == 8308);  // of all pairs of instructions that the two lines became
  CHECK(places_of(race) == "08-missing-barrier.cu:13 and 08-missing-barrier.cu:18");
  CHECK(only_finding("missing-syncwarp").level == severity::warning);
}

TEST_CASE("a complete log ends with a summary, and a cut or garbled one does no harm") {
  CHECK(is_complete_log(recorded("missing-barrier")));
  CHECK_FALSE(is_complete_log("========= COMPUTE-SANITIZER\n"));
  CHECK(findings_of_sanitizer("").empty());
  std::uint64_t state = 5;
  const auto next = [&state](std::size_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  for (const char* name : {"misaligned", "missing-barrier", "uninitialised-global", "double-free"}) {
    const std::string log = recorded(name);
    for (int round = 0; round < 200; ++round) {
      std::string damaged = log;
      const std::size_t at = next(log.size());
      if (round % 2 == 0)
        damaged.resize(at);
      else
        damaged[at] = "(),:+ \n=9"[next(9)];
      for (const finding& f : findings_of_sanitizer(damaged)) CHECK(f.first.line >= 0);
    }
  }
}

}  // namespace sanitizer_report_test

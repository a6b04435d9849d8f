// Reports for other programs; the golden files are compared word for word. SIMTLAB_UPDATE_GOLDEN=1 rewrites them. What whole
// programs write, and SARIF beside its rules, is in tests/driver/driver_reports_test.cpp.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "report/junit.h"
#include "report/sarif.h"
#include "report/workflow_commands.h"

using namespace simtlab::emulator;

namespace {

void compare_with_golden_report(const std::string& name, const std::string& text) {
  const std::string path = SIMTLAB_GOLDEN "/reports/" + name;
  if (std::getenv("SIMTLAB_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream in(path);
  REQUIRE_MESSAGE(in, path);
  std::stringstream expected;
  expected << in.rdbuf();
  CHECK(text == expected.str());
}

finding_place place(int line, unsigned thread, const std::string& action) {
  finding_place p;
  p.where = {"kernel.cu", line};
  p.has_thread = true;
  p.thread = {thread, 0, 0};
  p.action = action;
  p.path = "/no/course/labs/50% done, really/kernel.cu";
  return p;
}

/// An error with two lines, a warning of host code outside of the root, and a note without a line.
report of_three_findings() {
  report r;
  finding race{rule::shared_race,
               severity::error,
               "tiled<16>",
               "tile",
               place(12, 3, "writes tile[3]"),
               place(14, 4, "reads tile[3]"),
               "Nothing orders these two accesses.\nPut a __syncthreads() between them.",
               256};
  finding leak;
  leak.what = rule::leak;
  leak.level = severity::warning;
  leak.variable = "weights";
  leak.first.where = {"main.cu", 40};
  leak.first.path = "/elsewhere/main.cu";
  leak.message = "The memory was never freed & \"lost\".";
  finding incomplete;
  incomplete.what = rule::incomplete_check;
  incomplete.level = severity::note;
  incomplete.kernel = "scan";
  incomplete.message = "Races may have been missed.";
  r.findings = {race, leak, incomplete};
  r.launches.resize(3);
  r.launches[0].kernel = "tiled<16>";
  r.launches[1].kernel = r.launches[2].kernel = "scan";
  return r;
}

const source_paths paths("/no/course", "/no/course/build/a.out");

}  // namespace

TEST_CASE("SARIF: places, the other line of a race, rules once each") {
  compare_with_golden_report("three.sarif", sarif_report(of_three_findings(), {"build/a.out", true}, paths));
}
TEST_CASE("JUnit: a failure per error, a pass per kernel without one, the rest as output") {
  compare_with_golden_report("three.xml", junit_report(of_three_findings(), {"build/a.out", true}, paths));
}
TEST_CASE("JUnit: a program that was ended is an error") {
  compare_with_golden_report("ended.xml", junit_report({}, {"build/a.out", false}, paths));
}
TEST_CASE("workflow commands: errors, warnings, notices") {
  compare_with_golden_report("three.commands", workflow_commands(of_three_findings().findings, paths));
}

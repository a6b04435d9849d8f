// A program that is ended from outside says what was found so far, and where its kernel stood.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "bugs/planted_program.h"
#include "claims/marked_line.h"

using namespace simtlab::emulator::bugs;
using simtlab::emulator::claims::marked_line;

TEST_CASE("a killed program says what was found, and in which loop its kernel stood") {
  // SIGINT, SIGTERM, SIGALRM, and the limit of processor time, which sends a signal of its own.
  for (const char* end : {"KILLED_BY=2", "KILLED_BY=15", "KILLED_BY=14", "ulimit -S -t " SECONDS_TO_THE_KERNEL ";"}) {
    CAPTURE(end);
    const program_run result = run(killed, "kernel-goes-round", end);
    CAPTURE(result.output);
    const auto at = [&](const char* rule) {
      return std::find_if(result.findings.begin(), result.findings.end(),
                          [&](const printed_finding& f) { return f.rule == rule; });
    };
    REQUIRE(at("interrupted") != result.findings.end());
    CHECK(at("interrupted")->kernel == "go_round");
    const int round = marked_line(killed.source, "round");
    const std::string lines = std::to_string(round - 1) + " to " + std::to_string(round + 1);
    CHECK(at("interrupted")->message.find("in the loop of lines " + lines) != std::string::npos);
    CHECK(at("interrupted")->message.find("warp 1") != std::string::npos);
    REQUIRE(at("global-race") != result.findings.end());
    CHECK(at("global-race")->first == place(killed, "race before"));
    CHECK(result.exit_code != 0);
  }
  const program_run turned = run(killed, "kernel-goes-round", "SIMTLAB_SCHEDULE=reverse KILLED_BY=2");
  CHECK(turned.output.find("warp 1: waits at a block barrier") != std::string::npos);
}

TEST_CASE("a loop that has no access to memory, once compiled, is named, too") {
  const program_run result = run(killed, "kernel-looks", "KILLED_BY=2");
  CAPTURE(result.output);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].rule == "interrupted");
  CHECK(result.findings[0].first == place(killed, "register"));
}

TEST_CASE("a program that is killed while its host code waits says what was found") {
  const program_run result = run(killed, "host-waits");
  CAPTURE(result.output);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].first == place(killed, "race before"));
}

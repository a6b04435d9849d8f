// What is found of a planted bug depends on no schedule and on no number of workers.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "bugs/planted_program.h"

using namespace simtlab::emulator::bugs;

TEST_CASE("a planted bug gives the same findings whoever has the first turn, with any number of workers") {
  for (const expectation& e : expectations()) {
    CAPTURE(e.bug);
    const auto findings_of = [&](const std::string& environment) {
      std::set<std::string> all;
      for (const printed_finding& f : run(e.of, e.bug, environment).findings) {
        const auto [low, high] = std::minmax(f.first, f.second);
        std::string told = f.rule;
        for (const std::string& part : {f.severity, f.variable, low, high}) told.append(" ").append(part);
        all.insert(std::move(told));
      }
      return all;
    };
    const std::set<std::string> once = findings_of("");
    CHECK_FALSE(once.empty());
    CHECK(findings_of("SIMTLAB_SCHEDULE=reverse SIMTLAB_WORKERS=2") == once);
    CHECK(findings_of("SIMTLAB_SCHEDULE=random:11 SIMTLAB_WORKERS=4") == once);
  }
}

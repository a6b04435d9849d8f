// Every planted bug is found by its rule, at its lines, with the variable's name, and nothing else is called an error.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "claims/marked_line.h"

namespace {

using simtlab::emulator::claims::marked_line;

struct printed_finding {
  std::string rule, severity, variable, first, second, kernel, message;
};

struct program_run {
  std::string output;
  int exit_code = 0;
  std::vector<printed_finding> findings;
};

/// Fields 0 to 6 of one printed line; the line is no finding when it has fewer.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

program_run run(const char* bug) {
  const std::string command = std::string(std::getenv("PLANTED_BUGS")) + " " + bug + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
  program_run result;
  std::array<char, 4096> piece{};
  while (fgets(piece.data(), piece.size(), pipe) != nullptr) result.output += piece.data();
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::string line;
  for (const char c : result.output) {
    if (c != '\n') {
      line += c;
      continue;
    }
    const auto f = fields_of(line);
    if (f.size() == 7) result.findings.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[6]});
    line.clear();
  }
  return result;
}

struct expectation {
  const char* bug;
  const char* rule;
  const char* variable;     ///< "" when the rule concerns no variable
  const char* marker;       ///< of the line at fault; "" when the finding has no line
  bool two_places = false;  ///< the second place is the line marked `NAME, second`
  const char* severity = "error";
};

constexpr expectation expected[] = {
    {"missing-first-barrier", "shared-race", "ring", "missing-first-barrier", true},
    {"missing-second-barrier", "shared-race", "buffer", "missing-second-barrier", true},
    {"read-past-the-end", "out-of-bounds", "values", "read-past-the-end"},
    {"write-past-the-end", "out-of-bounds", "filled", "write-past-the-end"},
    {"read-before-the-start", "out-of-bounds", "values", "read-before-the-start"},
    {"uninitialised-shared", "uninitialised-shared", "cells", "uninitialised-shared"},
    {"edge-not-cleared", "uninitialised-shared", "tile", "edge-not-cleared"},
    {"divergent-barrier", "divergent-barrier", "", "divergent-barrier", true},
    {"two-barriers", "divergent-barrier", "", "two-barriers", true},
    {"return-before-barrier", "exited-before-barrier", "", "return-before-barrier"},
    {"race-between-blocks", "global-race", "total", "race-between-blocks"},
    {"race-inside-a-block", "global-race", "signal", "race-inside-a-block", true},
    {"plain-read-of-an-atomic", "global-race", "slot", "plain-read-of-an-atomic", true},
    {"many-readers-one-writer", "global-race", "seed", "many-readers-one-writer", true},
    {"misaligned", "misaligned", "values", "misaligned"},
    {"use-after-free", "use-after-free", "values", "read-by-copy"},
    {"double-free", "invalid-free", "values", "double-free"},
    {"uninitialised-global", "uninitialised-global", "values", "read-by-copy"},
    {"shared-out-of-bounds", "out-of-bounds", "cells", "shared-out-of-bounds"},
    {"missing-syncwarp", "shared-race", "sums", "missing-syncwarp", true},
    {"absent-lane", "inactive-lane", "", "absent-lane"},
    {"mask-without-caller", "mask-without-caller", "", "mask-without-caller"},
    {"warp-deadlock", "warp-deadlock", "", "warp-deadlock"},
    {"local-out-of-bounds", "out-of-bounds", "", "local-out-of-bounds"},
    {"host-pointer-in-a-kernel", "device-access-to-host", "", "read-by-copy"},
    {"device-pointer-on-the-host", "host-access-to-device", "values", "device-pointer-on-the-host"},
    {"null-pointer", "invalid-address", "", "null-pointer"},
    {"endless-loop", "endless-loop", "", "endless-loop"},
    {"stack-overflow", "stack-overflow", "", ""},
    {"failed-assertion", "failed-assertion", "", "failed-assertion"},
    {"leak", "leak", "forgotten", "", false, "warning"},
    {"unchecked-error", "unchecked-error", "", "unchecked-error"},
};

std::string place(const std::string& marker) {
  return "planted_bugs.cu:" + std::to_string(marked_line(PLANTED_BUGS_SOURCE, marker));
}

/// The finding's places are those of the marker, in either order.
bool is_there(const printed_finding& f, const expectation& e) {
  if (*e.marker == '\0') return true;
  const std::string at = place(e.marker);
  if (!e.two_places) return f.first == at || (f.first.empty() && f.second == at);
  const std::string other = place(std::string(e.marker) + ", second");
  return (f.first == at && f.second == other) || (f.first == other && f.second == at);
}

}  // namespace

TEST_CASE("a planted bug is found by its rule, at its lines, with its variable") {
  for (const expectation& e : expected) {
    SUBCASE(e.bug) {
      const program_run result = run(e.bug);
      CAPTURE(result.output);
      bool found = false;
      for (const printed_finding& f : result.findings) {
        if (f.rule == e.rule && f.severity == e.severity && f.variable == e.variable && is_there(f, e)) found = true;
        if (f.severity == "error") CHECK_MESSAGE(f.rule == e.rule, "another rule: ", f.rule, ": ", f.message);
        CHECK_FALSE(f.message.empty());
      }
      CHECK(found);
    }
  }
}

TEST_CASE("a device pointer read by the host gives no correct-looking result") {
  CHECK(run("device-pointer-on-the-host").output.find("correct-looking") == std::string::npos);
}

TEST_CASE("a bug found gives the same findings every time") {
  for (const char* bug : {"missing-second-barrier", "race-between-blocks", "missing-syncwarp"}) {
    const std::string once = run(bug).output;
    CHECK_FALSE(once.empty());
    CHECK(run(bug).output == once);
  }
}

// Every planted bug is found by its rule, at its lines, with the variable's name, and nothing else is called an error.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
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

/// A program of planted bugs: where it is, and its source.
struct program {
  const char* variable;
  const char* source;
};
constexpr program plain{"PLANTED_BUGS", PLANTED_BUGS_FOLDER "/planted_bugs.cu"};
constexpr program ordered{"PLANTED_ORDER", PLANTED_BUGS_FOLDER "/planted_order.cu"};
constexpr program killed{"KILLED_PROGRAMS", PLANTED_BUGS_FOLDER "/killed.cu"};

program_run run(const program& of, const char* bug, const std::string& environment = "") {
  const std::string command = environment + " " + std::getenv(of.variable) + " " + bug + " 2>&1";
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
  const program& of;
  const char* bug;
  const char* rule;
  const char* variable;     ///< "" when the rule concerns no variable
  const char* marker;       ///< of the line at fault; "" when the finding has no line
  bool two_places = false;  ///< the second place is the line marked `NAME, second`
  const char* severity = "error";
};

constexpr expectation expected[] = {
    {plain, "missing-first-barrier", "shared-race", "ring", "missing-first-barrier", true},
    {plain, "missing-second-barrier", "shared-race", "buffer", "missing-second-barrier", true},
    {plain, "read-past-the-end", "out-of-bounds", "values", "read-past-the-end"},
    {plain, "write-past-the-end", "out-of-bounds", "filled", "write-past-the-end"},
    {plain, "read-before-the-start", "out-of-bounds", "values", "read-before-the-start"},
    {plain, "uninitialised-shared", "uninitialised-shared", "cells", "uninitialised-shared"},
    {plain, "edge-not-cleared", "uninitialised-shared", "tile", "edge-not-cleared"},
    {plain, "divergent-barrier", "divergent-barrier", "", "divergent-barrier", true},
    {plain, "two-barriers", "divergent-barrier", "", "two-barriers", true},
    {plain, "return-before-barrier", "exited-before-barrier", "", "return-before-barrier"},
    {plain, "race-between-blocks", "global-race", "total", "race-between-blocks"},
    {plain, "race-inside-a-block", "global-race", "signal", "race-inside-a-block", true},
    {plain, "plain-read-of-an-atomic", "global-race", "slot", "plain-read-of-an-atomic", true},
    {plain, "guess-before-swap", "first-guess-race", "total", "guess-before-swap", true, "note"},
    {plain, "guess-in-shared", "first-guess-race", "of_block", "guess-in-shared", true, "note"},
    {plain, "look-before-swap", "global-race", "lock", "look-before-swap"},
    {plain, "larger-before-swap", "global-race", "largest", "larger-before-swap", true},
    {plain, "larger-before-maximum", "global-race", "largest", "larger-before-maximum", true},
    {plain, "read-not-compared", "global-race", "owner", "read-not-compared", true},
    {plain, "swap-of-another-element", "global-race", "cells", "swap-of-another-element", true},
    {plain, "write-against-guess", "global-race", "cell", "write-against-guess", true},
    {plain, "many-readers-one-writer", "global-race", "seed", "many-readers-one-writer", true},
    {plain, "misaligned", "misaligned", "values", "misaligned"},
    {plain, "use-after-free", "use-after-free", "values", "read-by-copy"},
    {plain, "double-free", "invalid-free", "values", "double-free"},
    {plain, "uninitialised-global", "uninitialised-global", "values", "read-by-copy"},
    {plain, "shared-out-of-bounds", "out-of-bounds", "cells", "shared-out-of-bounds"},
    {plain, "missing-syncwarp", "shared-race", "sums", "missing-syncwarp", true},
    {plain, "absent-lane", "inactive-lane", "", "absent-lane"},
    {plain, "mask-without-caller", "mask-without-caller", "", "mask-without-caller"},
    {plain, "warp-deadlock", "warp-deadlock", "", "warp-deadlock"},
    {plain, "local-out-of-bounds", "out-of-bounds", "locals", "local-out-of-bounds"},
    {plain, "host-pointer-in-a-kernel", "device-access-to-host", "values", "read-by-copy"},
    {plain, "device-pointer-on-the-host", "host-access-to-device", "values", "device-pointer-on-the-host"},
    {plain, "null-pointer", "invalid-address", "", "null-pointer"},
    {plain, "endless-loop", "endless-loop", "", "endless-loop"},
    {plain, "stack-overflow", "stack-overflow", "", ""},
    {plain, "failed-assertion", "failed-assertion", "", "failed-assertion"},
    {plain, "leak", "leak", "forgotten", "", false, "warning"},
    {plain, "unchecked-error", "unchecked-error", "", "unchecked-error"},
    {plain, "two-launches-fail", "unchecked-error", "", "two-launches-fail"},
    {plain, "symbol-for-a-pointer", "device-access-to-host", "weights", "symbol-for-a-pointer"},
    {plain, "variable-for-a-pointer", "device-access-to-host", "counter", "variable-for-a-pointer"},
    {plain, "elements-for-bytes", "out-of-bounds", "squares", "elements-for-bytes"},
    {plain, "barrier-gone-around", "divergent-barrier", "", "barrier-gone-around"},
    {plain, "shuffle-of-a-helper", "inactive-lane", "", "shuffle-of-a-helper"},
    {ordered, "ticket-without-fence", "global-race", "partial", "ticket-without-fence", true},
    {ordered, "fence-of-the-block-only", "global-race", "partial", "fence-of-the-block-only", true},
    {ordered, "fence-too-early", "global-race", "data", "fence-too-early", true},
    {ordered, "fence-of-another-thread", "global-race", "data", "fence-of-another-thread", true},
    {ordered, "reader-without-fence", "global-race", "data", "reader-without-fence", true},
    {ordered, "plain-look-at-a-flag", "global-race", "flag", "plain-look-at-a-flag", true},
    {ordered, "guess-among-fences", "first-guess-race", "count", "guess-among-fences", true, "note"},
    {ordered, "look-among-fences", "global-race", "count", "look-among-fences", true},
    {ordered, "lock-without-fence", "global-race", "count", "lock-without-fence"},
    {ordered, "lock-given-back-plainly", "global-race", "lock", "lock-given-back-plainly", true},
    {ordered, "lock-not-asked-for", "global-race", "count", "lock-not-asked-for", true},
    {ordered, "shared-lock-without-fence", "shared-race", "count", "shared-lock-without-fence"},
    {ordered, "byte-of-another-block", "global-race", "bytes", "byte-of-another-block"},
    {ordered, "partial-syncwarp", "shared-race", "cells", "partial-syncwarp", true},
    {ordered, "masks-that-differ", "warp-deadlock", "", "masks-that-differ"},
    {ordered, "wait-for-nobody", "deadlock", "", "wait-for-nobody", true},
    {ordered, "two-locks-crosswise", "deadlock", "", "two-locks-crosswise"},
    {ordered, "barrier-inside-a-lock", "deadlock", "", "barrier-inside-a-lock", true},
    {ordered, "streams-without-event", "global-race", "values", "streams-without-event", true},
    {ordered, "copy-beside-kernel", "global-race", "values", ""},
    {ordered, "each-undoes-the-other", "livelock", "", "each-undoes-the-other"},
};

std::string place(const program& of, const std::string& marker) {
  const std::string source = of.source;
  return source.substr(source.find_last_of('/') + 1) + ":" + std::to_string(marked_line(of.source, marker));
}

/// The finding's places are those of the marker, in either order.
bool is_there(const printed_finding& f, const expectation& e) {
  if (*e.marker == '\0') return true;
  const std::string at = place(e.of, e.marker);
  if (!e.two_places) return f.first == at || (f.first.empty() && f.second == at);
  const std::string other = place(e.of, std::string(e.marker) + ", second");
  return (f.first == at && f.second == other) || (f.first == other && f.second == at);
}

}  // namespace

TEST_CASE("a planted bug is found by its rule, at its lines, with its variable") {
  for (const expectation& e : expected) {
    SUBCASE(e.bug) {
      const program_run result = run(e.of, e.bug);
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

TEST_CASE("what a program asked cudaGetSymbolAddress for, and managed variables, may be given to a kernel") {
  for (const printed_finding& f : run(plain, "address-of-symbol").findings) FAIL_CHECK(f.message);
}

TEST_CASE("every launch that failed unasked is told, and what the number of bytes is likely to lack") {
  CHECK(run(plain, "two-launches-fail").findings.size() == 2);
  CHECK(run(plain, "elements-for-bytes").output.find("cudaMalloc takes bytes") != std::string::npos);
}

TEST_CASE("claim 19: a device pointer read by the host gives no correct-looking result") {
  CHECK(run(plain, "device-pointer-on-the-host").output.find("correct-looking") == std::string::npos);
}

TEST_CASE("a planted bug gives the same findings whoever has the first turn, with any number of workers") {
  for (const expectation& e : expected) {
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

// Two engines, one oracle: a planted bug (tests/bugs) is found as nvcc compiled it, too: by its rule, with its variable, at its line.
// What is found otherwise stands in a list, with its reason.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "bugs/planted_program.h"
#include "gpu_tools.h"
#include "tests/driver/workplace.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::bugs;

namespace {

constexpr std::string_view watched =
    "who waits for a value that nobody stores is found by the watchdog: an endless loop";
constexpr std::string_view never = "nvcc waits for the lanes of a mask before it shuffles: those never come";

/// Bugs that are found otherwise, or by nobody, and why.
const std::map<std::string_view, std::string_view> differences{
    {"mask-without-caller", "of a shuffle's mask nvcc keeps nothing where the warp is together"},
    {"local-out-of-bounds", "nvcc keeps a thread's array in registers"},
    {"shuffle-of-a-helper", never},
    {"masks-that-differ", "nvcc makes one of two shuffles, with the line of the other one"},
    {"each-undoes-the-other", watched},
};

/// Bugs of kernels that run as g++ compiled them: of `SYNCS`, a cuda::pipeline's barrier in shared memory, the machine knows nothing.
const std::set<std::string_view> as_written{"stage-filled-too-early"};

/// Compiles the program once, for all tests.
void compile(const program& of) {
  static std::map<std::string, std::string> built;
  std::string& folder = built[of.variable];
  if (folder.empty()) {
    folder = (std::filesystem::temp_directory_path() / "simtlab-planted-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    const std::string tests = SIMTLAB_EMULATOR_TESTS;
    const process_result made =
        run_process({SIMTLAB_SIMTCC, "--engine", "sass", "-std=c++20", "--extended-lambda", "-w", "-I", tests, "-I",
                     tests + "/..", of.source, "-o", folder + "/program"});
    REQUIRE_MESSAGE(made.exit_code == 0, made.errors);
  }
  setenv(of.variable, (folder + "/program").c_str(), 1);
}

/// Whether the finding is the one that is expected. Of two places nvcc may have made others.
bool is_expected(const printed_finding& f, const expectation& e) {
  if (f.rule != e.rule || f.variable != e.variable) return false;
  if (*e.marker == '\0') return true;
  std::string places = f.first + " " + f.second;
  const std::string at = place(e.of, e.marker);
  return places.find(at) != std::string::npos ||
         (e.two_places && places.find(place(e.of, std::string(e.marker) + ", second")) != std::string::npos);
}

}  // namespace

TEST_CASE("a planted bug is found as nvcc compiled it, too") {
  REQUIRE(has_tools);
  for (const expectation& e : expectations()) {
    SUBCASE(e.bug) {
      compile(e.of);
      const program_run result = run(e.of, e.bug);
      CAPTURE(result.output);
      bool found = false;
      for (const printed_finding& f : result.findings) {
        found |= is_expected(f, e);
        CHECK_MESSAGE((f.rule == "not-as-compiled") <= as_written.contains(e.bug), f.message);
        if (f.severity == "error")
          CHECK_MESSAGE((f.rule == e.rule || differences.contains(e.bug)), f.rule, ": ", f.message);
      }
      CHECK(found == !differences.contains(e.bug));
    }
  }
}

TEST_CASE("what differs is a planted bug") {
  for (const auto& [bug, reason] : differences) {
    CHECK(std::ranges::any_of(expectations(), [&](const expectation& e) { return bug == e.bug; }));
    CHECK_FALSE(reason.empty());
  }
}

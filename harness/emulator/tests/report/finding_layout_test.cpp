// What people read; the golden files are compared word for word. SIMTLAB_UPDATE_GOLDEN=1 rewrites them.
#include "report/finding_layout.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace simtlab::emulator;

namespace {

void compare_with_golden(const std::string& name, const std::string& text) {
  const std::string path = SIMTLAB_GOLDEN "/findings/" + name + ".txt";
  if (std::getenv("SIMTLAB_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream in(path);
  REQUIRE_MESSAGE(in, path);
  std::stringstream expected;
  expected << in.rdbuf();
  CHECK(text == expected.str());
}

finding race() {
  return {rule::shared_race,
          severity::error,
          "tiled<16>",
          "tile",
          {{"kernel.cu", 12}, true, {3, 0, 0}, {0, 0, 0}, "writes tile[3]"},
          {{"kernel.cu", 14}, true, {4, 0, 0}, {0, 0, 0}, "reads tile[3]"},
          "Nothing orders these two accesses: there is no __syncthreads() between line 12 and line 14. Every thread "
          "must pass a barrier after the tile is written and before it is read.",
          256};
}

finding leak() {
  return {rule::leak,
          severity::warning,
          "",
          "weights",
          {{"main.cu", 40}, false, {}, {}, "allocates 4096 bytes"},
          {},
          "The memory was never freed. Call cudaFree.",
          1};
}

finding incomplete() {
  return {rule::incomplete_check, severity::note, "k", "", {}, {}, "Races may have been missed.", 1};
}

}  // namespace

TEST_CASE("a finding with two places names both threads") { compare_with_golden("two_places", finding_text(race())); }
TEST_CASE("a finding of host code names the program") { compare_with_golden("host_code", finding_text(leak())); }
TEST_CASE("a list of findings has a blank line behind each") {
  compare_with_golden("list", findings_text({race(), leak(), incomplete()}));
}
TEST_CASE("no findings, no text") { CHECK(findings_text({}).empty()); }
TEST_CASE("the summary counts findings by severity, launches, and kernels once each") {
  report r;
  CHECK(summary_text(r) == "simtlab: 0 errors, 0 warnings; 0 launches of 0 kernels\n");
  r.findings = {race(), race(), leak(), incomplete()};
  r.launches.resize(3);
  r.launches[0].kernel = r.launches[2].kernel = "tiled<16>";
  CHECK(summary_text(r) == "simtlab: 2 errors, 1 warning, 1 note; 3 launches of 2 kernels\n");
}
TEST_CASE("a paragraph is said once") {
  finding other = race();
  other.first.where.line = 13;
  const std::string text = findings_text({race(), other});
  CHECK(text.find("Nothing orders") == text.rfind("Nothing orders"));
  CHECK(text.find("As said above.") != std::string::npos);
  CHECK(text.find("kernel.cu:13: error") != std::string::npos);
}

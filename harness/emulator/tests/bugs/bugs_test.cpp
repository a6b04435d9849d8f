// Every planted bug is found by its rule, at its lines, with the variable's name, and nothing else is called an error.
#include <doctest/doctest.h>

#include <string>

#include "bugs/planted_program.h"

using namespace simtlab::emulator::bugs;

namespace {

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
  for (const expectation& e : expectations()) {
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

TEST_CASE("a missing fence between volatile stores is told as that") {
  const std::string said = run(ordered, "volatile-without-fence").output;
  CHECK(said.find("Both are volatile, which keeps each access and no order between two places") != std::string::npos);
  CHECK(said.find("a __threadfence() between the write and the atomic operation") != std::string::npos);
}

TEST_CASE("claim 19: a device pointer read by the host gives no correct-looking result") {
  CHECK(run(plain, "device-pointer-on-the-host").output.find("correct-looking") == std::string::npos);
}

#include "driver/unasked_warnings.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/driver/workplace.h"

using namespace simtlab::emulator;

namespace {

bool stays_warning(const std::vector<std::string>& given, const std::string& name) {
  const std::vector<std::string> words = unasked_warnings(given);
  return std::find(words.begin(), words.end(), "-Wno-error=" + name) != words.end();
}

}  // namespace

TEST_CASE("what the user did not ask for stays a warning beside -Werror") {
  CHECK(!stays_warning({}, "unused-value"));
  CHECK(stays_warning({"-Werror"}, "unused-value"));
  CHECK(stays_warning({"-Werror"}, "format-overflow"));
  CHECK(stays_warning({"-Werror", "-Wno-unused-value"}, "unused-value"));
  CHECK(!stays_warning({"-Werror"}, "return-type"));  // g++ has it on
  for (const char* const asked : {"-Wall", "-Wextra", "-W", "-Wunused-value", "-Werror=unused-value"})
    CHECK_MESSAGE(!stays_warning({asked, "-Werror"}, "unused-value"), asked);
  CHECK(stays_warning({"-Wall", "-Werror"}, "type-limits"));
  CHECK(stays_warning({"-Wextra", "-Werror"}, "parentheses"));
  CHECK(!stays_warning({"-Wformat=2", "-Werror"}, "format-extra-args"));
}

TEST_CASE("a build with -Werror that nvcc passes is built, and the warning is still told") {
  const workplace here;
  here.write("a.cu",
             "__global__ void k(int* a, int n) { if (threadIdx.x < 8) a[n] = 1; a[n] == 2; }\n"
             "int main() { return 0; }\n");
  for (const char* const option : {"-Xcompiler=-Werror", "-Werror=all-warnings"}) {
    const process_result built = here.simtcc({"-c", option, "a.cu"});
    CHECK(built.exit_code == 0);
    CHECK(has(built.errors, "a.cu:1:"));
    CHECK(has(built.errors, "warning: "));
    CHECK(!has(built.errors, "C++20"));
  }
  const process_result asked = here.simtcc({"-c", "-Xcompiler=-Wall,-Werror", "a.cu"});
  CHECK(asked.exit_code == 1);
  CHECK(has(asked.errors, "a.cu:1:"));
  CHECK(!has(asked.errors, "C++20"));  // it is no matter of the language
}

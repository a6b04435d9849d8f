// A judge that was built without what judges on a GPU, asked all the same.
#include <doctest/doctest.h>

#include <string>

#include "judge/gpu/hardware_counters.h"
#include "judge/gpu/sanitizer.h"
#include "judge/gpu/timed_benchmark.h"

using namespace simtlab;

TEST_CASE("a judge for the emulator says where one for a GPU comes from") {
  const std::string name = "01-vector-add";
  const lab of;
  const judge_options options;
  const test_case benchmark("benchmark", {});
  const case_runner judge(name, of, options);
  const std::string next = "make test BACKEND=cuda";
  CHECK(count_on_hardware(name, of, options, benchmark).problem.find(next) != std::string::npos);
  CHECK(sanitize(name, of, options, benchmark).problem.find(next) != std::string::npos);
  std::string said;
  try {
    static_cast<void>(prepare_benchmark(name, of, options, judge, benchmark));
  } catch (const usage_error& e) {
    said = e.what();
  }
  CHECK(said.find(next) != std::string::npos);
}

// In place of the others of this room in a tree whose labs run on the emulator (CMakeLists.txt): who asks all the same is told.
#include "judge/gpu/hardware_counters.h"
#include "judge/gpu/sanitizer.h"
#include "judge/gpu/timed_benchmark.h"

namespace simtlab {
namespace {

constexpr const char* absent =
    "this judge was built for the emulator, without what judges on a GPU; where nvcc and a GPU are, "
    "make test BACKEND=cuda builds one that has it";

}  // namespace

hardware_counters count_on_hardware(const std::string&, const lab&, const judge_options&, const test_case&,
                                    case_outcome*) {
  return {{}, absent};
}

sanitizer_findings sanitize(const std::string&, const lab&, const judge_options&, const test_case&) {
  return {{}, absent};
}

std::unique_ptr<prepared_case> prepare_benchmark(const std::string&, const lab&, const judge_options&,
                                                 const case_runner&, const test_case&) {
  throw usage_error(absent);
}

timed_benchmark time_benchmark(const std::string&, const lab&, const judge_options&, const case_runner&,
                               const prepared_case&) {
  throw usage_error(absent);
}

}  // namespace simtlab

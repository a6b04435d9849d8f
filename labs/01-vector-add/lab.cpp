// Vector addition with its host side: allocation, copies, launch, errors, clean-up.
#include "spec/lab.h"

using namespace simtlab;

cudaError_t vector_add(const float* a, const float* b, float* c, int n);  // implemented by the student in kernel.cu

lab define_lab() {
  return host_lab_spec<in<float>, in<float>, out<float>, int>{
      .entry = vector_add,
      .parameters = {"a", "b", "c", "n"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int n = c["n"];
            return arguments(random["a"].uniform<float>(n), random["b"].uniform<float>(n), elements(n), n);
          },
      .reference =
          [](std::span<const float> a, std::span<const float> b, std::span<float> c, int n) {
            for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
              c[i] = static_cast<float>(static_cast<double>(a[i]) + static_cast<double>(b[i]));
          },
      .tolerance = exact,  // one addition, rounded once: there is a single right answer
      .cases = {{"one element", {{"n", 1}}},
                {"less than a warp", {{"n", 19}}},
                {"one block of 256", {{"n", 256}}},
                {"one element more than a block", {{"n", 257}}},
                {"a prime", {{"n", 1009}}},
                {"more than 1024 threads", {{"n", 5000}}},
                {"larger", {{"n", 65543}}},
                {"the first call fails", {{"n", 300}}, fail_api_call(1)},
                {"the second call fails", {{"n", 300}}, fail_api_call(2)},
                {"the fourth call fails", {{"n", 300}}, fail_api_call(4)},
                {"the sixth call fails", {{"n", 300}}, fail_api_call(6)},
                {"the seventh call fails", {{"n", 300}}, fail_api_call(7)}},
      .benchmark = {.emulator = {{"n", 100000}}, .gpu = {{"n", 16777216}}},
      .model =
          [](const test_case& c) {
            const double n = c["n"];
            return work{.bytes_read = 8 * n, .bytes_written = 4 * n, .operations = n};
          },
      .criteria =
          {{metric::moved_bytes_per_operation(), full_at(12), none_at(36),
            "Which elements of each vector do the 32 lanes of a warp touch in one request? Neighbouring threads "
            "should take neighbouring elements.",
            weight(9)},
           {metric::active_lanes, full_at(31), none_at(8),
            "A warp has 32 lanes, and each request costs the same whether 1 or 32 of them take part.", weight(9)},
           {metric::copied_bytes_over_minimum, full_at(1.0), none_at(1.3),
            "Which arrays does the kernel read, and which does it write? Each needs to cross the bus once, in "
            "one direction.",
            weight(2)},
           {metric::leaked_bytes, full_at(0), none_at(1),
            "Every cudaMalloc has its cudaFree, whichever way the function ends."}},
      .severities = {{"leak", severity::error}},  // giving memory back is part of the task
      .pass_at = 60,
  };
}

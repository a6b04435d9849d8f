// A host entry for tests of the judge: sum = a + b, with its own allocation, copies and errors.
#include "spec/lab.h"

using namespace simtlab;

cudaError_t add(const int* a, const int* b, int* sum, int n);

lab define_lab() {
  return host_lab_spec<in<int>, in<int>, out<int>, int>{
      .entry = add,
      .parameters = {"a", "b", "sum", "n"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int n = c["n"];
            return arguments(random["a"].uniform<int>(n, -100, 100), random["b"].uniform<int>(n, -100, 100),
                             elements(n), n);
          },
      .reference =
          [](std::span<const int> a, std::span<const int> b, std::span<int> sum, int n) {
            for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) sum[i] = a[i] + b[i];
          },
      .tolerance = exact,
      .cases = {{"one element", {{"n", 1}}},
                {"a few", {{"n", 37}}},
                {"the first call fails", {{"n", 37}}, fail_api_call(1)},
                {"the second call fails", {{"n", 37}}, fail_api_call(2)},
                {"the last copy fails", {{"n", 37}}, fail_api_call(6)},
                {"a call that is never made fails", {{"n", 37}}, fail_api_call(50)}},
      .benchmark = {.emulator = {{"n", 1000}}, .gpu = {{"n", 1000000}}},
      .model =
          [](const test_case& c) {
            return work{.bytes_read = 8.0 * c["n"], .bytes_written = 4.0 * c["n"], .operations = 1.0 * c["n"]};
          },
      .criteria = {{metric::copied_bytes_over_minimum, full_at(1), none_at(2), "Which arrays must cross the bus?"},
                   {metric::leaked_bytes, full_at(0), none_at(1), "Every cudaMalloc has its cudaFree."}},
      .limits = {.seconds = 2, .memory_mb = 256, .output_kb = 8},
  };
}

// A device entry for tests of the judge: output = 2 · input, element by element.
#include "spec/lab.h"

using namespace simtlab;

void scale(const float* input, float* output, int rows, int cols);

lab define_lab() {
  return lab_spec<in<float>, out<float>, int, int>{
      .entry = scale,
      .parameters = {"input", "output", "rows", "cols"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int rows = c["rows"], cols = c["cols"];
            return arguments(random["input"].uniform<float>(rows * cols, 1.0F, 2.0F), elements(rows, cols), rows, cols);
          },
      .reference =
          [](std::span<const float> input, std::span<float> output, int, int) {
            for (std::size_t i = 0; i < input.size(); ++i) output[i] = 2 * input[i];
          },
      .tolerance = exact,
      .cases = {{"one element", {{"rows", 1}, {"cols", 1}}},
                {"ragged", {{"rows", 3}, {"cols", 5}}},
                {"larger", {{"rows", 40}, {"cols", 7}}}},
      .benchmark = {.emulator = {{"rows", 64}, {"cols", 64}}, .gpu = {{"rows", 4096}, {"cols", 4096}}},
      .model =
          [](const test_case& c) {
            const double elements = 1.0 * c["rows"] * c["cols"];
            return work{.bytes_read = 4 * elements, .bytes_written = 4 * elements, .operations = elements};
          },
      .criteria = {{metric::sector_efficiency("input"), full_at(1), none_at(0.125),
                    "Let neighbouring threads read neighbouring elements."},
                   {metric::sector_efficiency("output"), full_at(1), none_at(0),
                    "Let neighbouring threads write neighbouring elements."},
                   {metric::copy_bandwidth_fraction, full_at(0.8), none_at(0.1), "Compare with a plain copy."}},
      .limits = {.seconds = 2, .memory_mb = 256, .output_kb = 8},
      .pass_at = 60,
  };
}

// A lab whose every word can be recognised in an object file.
#include "spec/lab.h"

using namespace simtlab;

void distinctive_entry(const float* zebra_input, float* okapi_output, int narwhal_count);

static float walrus_reference(float x) { return x * 0.8125F + 77777.0F; }

lab define_lab() {
  return lab_spec<in<float>, out<float>, int>{
      .entry = distinctive_entry,
      .parameters = {"zebra_input", "okapi_output", "narwhal_count"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int n = c["gnu size"];
            return arguments(random["pangolin stream"].uniform<float>(n), elements(n), n);
          },
      .reference =
          [](std::span<const float> from, std::span<float> to, int n) {
            for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) to[i] = walrus_reference(from[i]);
          },
      .tolerance = [](const test_case& c) { return sum_of_products(c["gnu size"]); },
      .cases = {{"giraffe case", {{"gnu size", 31337}}}, {"hippopotamus case", {{"gnu size", 2}}}},
      .benchmark = {.emulator = {{"gnu size", 54321}}, .gpu = {{"gnu size", 65432}}},
      .model = [](const test_case& c) { return work{.operations = 98765.0 * c["gnu size"]}; },
      .criteria = {{metric::sector_efficiency("zebra_input"), full_at(1), none_at(0), "flamingo hint"},
                   {metric::wavefronts_over_minimum("axolotl tile"), full_at(1), none_at(2), "ibex hint", weight(3)}},
      .limits = {.seconds = 3},
      .severities = {{"capybara-rule", severity::note}},
      .pass_at = 41,
  };
}

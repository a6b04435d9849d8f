// Compiled by CTest, whole and with one member left out or wrong at a time.
#include "spec/lab.h"

using namespace simtlab;

void copy(const float* from, float* to, int n);

lab define_lab() {
  return lab_spec<in<float>, out<float>, int>{
#ifndef WITHOUT_entry
      .entry = copy,
#endif
#ifdef WRONG_PARAMETERS
      .parameters = {"from", "to"},
#elif !defined(WITHOUT_parameters)
      .parameters = {"from", "to", "n"},
#endif
#ifdef WRONG_ARGUMENTS
      .arguments = [](const test_case& c, random_source&) { return arguments(c["n"], elements(c["n"]), c["n"]); },
#elif !defined(WITHOUT_arguments)
      .arguments =
          [](const test_case& c, random_source& random) {
            return arguments(random["from"].uniform<float>(c["n"]), elements(c["n"]), c["n"]);
          },
#endif
#ifdef WRONG_REFERENCE
      .reference = [](std::span<const float>, std::span<double>, int) {},
#elif !defined(WITHOUT_reference)
      .reference = [](std::span<const float> from, std::span<float> to, int) { to[0] = from[0]; },
#endif
#ifndef WITHOUT_tolerance
      .tolerance = exact,
#endif
#ifndef WITHOUT_cases
      .cases = {{"one element", {{"n", 1}}}},
#endif
#ifndef WITHOUT_benchmark
      .benchmark = {.emulator = {{"n", 1}}, .gpu = {{"n", 1}}},
#endif
#ifndef WITHOUT_model
      .model = [](const test_case&) { return work{}; },
#endif
#ifndef WITHOUT_criteria
      .criteria = {},
#endif
  };
}

// The largest value of each segment, by a tree: which lanes of a warp work in each step.
#include <algorithm>
#include <utility>
#include <vector>

#include "spec/lab.h"

using namespace simtlab;

void largest_of_segments(const float* values, float* largest, int n);  // implemented by the student in kernel.cu

static constexpr int segment = 1024;

lab define_lab() {
  return lab_spec<in<float>, out<float>, int>{
      .entry = largest_of_segments,
      .parameters = {"values", "largest", "n"},
      // All below zero: a tree that starts from zero, or takes elements that nobody has set, finds something larger.
      .arguments =
          [](const test_case& c, random_source& random) {
            const int n = c["n"];
            std::vector<float> values = random["values"].uniform<float>(n, -40, -1);
            for (int i = 0; i < n; ++i)
              if (i / segment % 2 == 0) values[i] -= 50;  // below both neighbours: who reads one of theirs takes it
            if (n % 3 == 0)  // below what a variable without a first value holds here, -1.7e38
              for (float& value : values) value = value * 1e36F - 2e38F;
            return arguments(std::move(values), elements((n - 1) / segment + 1), n);
          },
      .reference =
          [](std::span<const float> values, std::span<float> largest, int) {
            for (std::size_t s = 0; s < largest.size(); ++s) {
              const auto rest = values.subspan(s * segment);
              largest[s] = *std::ranges::max_element(rest.first(std::min<std::size_t>(segment, rest.size())));
            }
          },
      .tolerance = exact,  // the largest value is one of them: any difference is a bug
      .cases = {{"one value", {{"n", 1}}},
                {"less than a warp", {{"n", 19}}},
                {"one value more than a warp", {{"n", 33}}},
                {"a prime number of values", {{"n", 509}}},
                {"one segment", {{"n", 1024}}},
                {"one value more than a segment", {{"n", 1025}}},
                {"many segments, the last one ragged", {{"n", 40009}}}},
      .benchmark = {.emulator = {{"n", 131072}}, .gpu = {{"n", 67108864}}},
      .model =
          [](const test_case& c) {
            const double n = c["n"], segments = n / segment;
            // A tree of 256: each element is stored once, and 255 times two are read and one is stored.
            return work{.bytes_read = 4 * n,
                        .bytes_written = 4 * segments,
                        .operations = n,
                        .shared_bytes = 4 * (256 + 3 * 255) * segments};
          },
      .criteria = {{metric::active_lanes, full_at(30), none_at(10),
                    "In each step of the tree, which threads have something to do? Let them be neighbours, so that "
                    "other warps have nothing to do as a whole; and let the last warp do without an if.",
                    weight(7)},
                   {metric::sector_efficiency("values"), full_at(1.0), none_at(0.125),
                    "Which values do the 32 lanes of a warp read in one request? Let neighbouring lanes read "
                    "neighbouring values.",
                    weight(3)}},
      .pass_at = 60,
  };
}

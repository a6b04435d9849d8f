// Two-dimensional convolution with the filter in constant memory: every lane reads the same weight at the same time.
#include <algorithm>
#include <vector>

#include "spec/lab.h"

using namespace simtlab;

// Implemented by the student in kernel.cu.
void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius);

lab define_lab() {
  return lab_spec<in<float>, in<float>, out<float>, int, int, int>{
      .entry = convolve,
      .parameters = {"input", "filter", "output", "rows", "cols", "radius"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int rows = c["rows"], cols = c["cols"], radius = c["radius"], width = 2 * radius + 1;
            return arguments(shaped(random["input"].uniform<float>(rows * cols), rows, cols),
                             shaped(random["filter"].uniform<float>(width * width), width, width), elements(rows, cols),
                             rows, cols, radius);
          },
      // Row after row, weight after weight: a row of the input, shifted by the weight's place in the filter, is added to
      // the sums of an output row.
      .reference =
          [](std::span<const float> input, std::span<const float> filter, std::span<float> output, int rows, int cols,
             int radius) {
            const int width = 2 * radius + 1;
            const auto convolve_rows = [&](std::size_t begin, std::size_t end) {
              std::vector<double> sums(cols);
              for (int row = static_cast<int>(begin); row < static_cast<int>(end); ++row) {
                std::ranges::fill(sums, 0);
                for (int i = 0; i < width * width; ++i) {
                  const double weight = filter[i];
                  const int from = row + i / width - radius, right = i % width - radius;
                  if (from < 0 || from >= rows) continue;
                  for (int col = std::max(0, -right); col < std::min(cols, cols - right); ++col)
                    sums[col] += weight * static_cast<double>(input[from * cols + col + right]);
                }
                std::ranges::transform(sums, output.begin() + static_cast<std::ptrdiff_t>(row) * cols,
                                       [](double sum) { return static_cast<float>(sum); });
              }
            };
            in_pieces(rows, convolve_rows, output.size());
          },
      // Each element is a sum of width² products: any order of the sum is accepted, half precision inside is not.
      .tolerance = [](const test_case& c) { return sum_of_products((2 * c["radius"] + 1) * (2 * c["radius"] + 1)); },
      .cases = {{"one element", {{"rows", 1}, {"cols", 1}, {"radius", 1}}},
                {"a filter of one element", {{"rows", 19}, {"cols", 37}, {"radius", 0}}},
                {"smaller than the filter", {{"rows", 5}, {"cols", 3}, {"radius", 4}}},
                {"one row", {{"rows", 1}, {"cols", 67}, {"radius", 2}}},
                {"one column", {{"rows", 71}, {"cols", 1}, {"radius", 2}}},
                {"primes", {{"rows", 31}, {"cols", 47}, {"radius", 3}}},
                {"ragged edges", {{"rows", 33}, {"cols", 65}, {"radius", 2}}},
                {"largest filter", {{"rows", 40}, {"cols", 72}, {"radius", 4}}}},
      .benchmark = {.emulator = {{"rows", 96}, {"cols", 256}, {"radius", 2}},
                    .gpu = {{"rows", 8192}, {"cols", 8192}, {"radius", 2}}},
      .model =
          [](const test_case& c) {
            const double elements = static_cast<double>(c["rows"]) * c["cols"];
            const double weights = (2.0 * c["radius"] + 1) * (2.0 * c["radius"] + 1);
            return work{.bytes_read = 4 * (elements + weights),
                        .bytes_written = 4 * elements,
                        .operations = elements * weights,
                        .asks = {{"input", 4 * elements * weights}}};
          },
      .criteria =
          {{metric::constant_share("filter"), full_at(1.0), none_at(0.0),
            "The filter is small, never changes during the launch, and every thread needs all of it. Which memory is "
            "made "
            "for that, and who fills it?",
            weight(3)},
           {metric::constant_words_per_request("weights"), full_at(1), none_at(4),
            "Constant memory delivers one word at a time. It is fast when all 32 lanes ask for the same one: which "
            "weight "
            "does each lane of a warp need in this line, and when?",
            weight(3)},
           {metric::sector_efficiency("input"), full_at(0.5), none_at(0.125),
            "Which elements of the input do the 32 lanes of a warp read in one request? Let neighbouring lanes read "
            "neighbouring columns."},
           {metric::sector_efficiency("output"), full_at(1.0), none_at(0.125),
            "Which elements of the output do the 32 lanes of a warp write? Let neighbouring lanes write neighbouring "
            "columns."},
           {metric::ratio_to_baseline("solution"), full_at(0.85), none_at(0.2),
            "Reads of the filter and of the input take turns. Which of the two need not go to global memory at all?"}},
      .pass_at = 70,
  };
}

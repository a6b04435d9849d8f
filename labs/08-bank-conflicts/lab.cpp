// Matrix transpose through shared memory: both sides coalesced, no bank conflict in between.
#include "spec/lab.h"

using namespace simtlab;

void transpose(const float* input, float* output, int rows, int cols);  // implemented by the student in kernel.cu

lab define_lab() {
  return lab_spec<in<float>, out<float>, int, int>{
      .entry = transpose,
      .parameters = {"input", "output", "rows", "cols"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int rows = c["rows"], cols = c["cols"];
            return arguments(shaped(random["input"].uniform<float>(rows * cols), rows, cols), elements(cols, rows),
                             rows, cols);
          },
      .reference =
          [](std::span<const float> input, std::span<float> output, std::size_t rows, std::size_t cols) {
            const auto transpose_rows = [&](std::size_t begin, std::size_t end) {
              for (std::size_t r = begin; r < end; ++r)
                for (std::size_t c = 0; c < cols; ++c) output[c * rows + r] = input[r * cols + c];
            };
            in_pieces(rows, transpose_rows, rows * cols);
          },
      .tolerance = exact,  // values only move: any difference is a bug
      .cases = {{"one element", {{"rows", 1}, {"cols", 1}}},
                {"one row", {{"rows", 1}, {"cols", 67}}},
                {"one column", {{"rows", 71}, {"cols", 1}}},
                {"smaller than a tile", {{"rows", 5}, {"cols", 7}}},
                {"one tile", {{"rows", 32}, {"cols", 32}}},
                {"primes", {{"rows", 61}, {"cols", 47}}},
                {"ragged edges", {{"rows", 33}, {"cols", 65}}},
                {"larger", {{"rows", 160}, {"cols", 96}}}},
      .benchmark = {.emulator = {{"rows", 512}, {"cols", 256}}, .gpu = {{"rows", 8192}, {"cols", 8192}}},
      .model =
          [](const test_case& c) {
            const double elements = static_cast<double>(c["rows"]) * c["cols"];
            return work{.bytes_read = 4 * elements,
                        .bytes_written = 4 * elements,
                        .operations = elements,
                        .shared_bytes = 8 * elements};
          },
      .criteria =
          {{metric::sector_efficiency("input"), full_at(1.0), none_at(0.125),
            "Which addresses of the input do the 32 lanes of a warp read in one request? Let neighbouring lanes "
            "read neighbouring addresses."},
           {metric::sector_efficiency("output"), full_at(1.0), none_at(0.125),
            "Which addresses of the output do the 32 lanes of a warp write? Shared memory lets a thread write "
            "an element that another thread has read."},
           {metric::wavefronts_over_minimum, full_at(2), none_at(8),
            "Word w of shared memory lies in bank w modulo 32. Which banks do the lanes hit that read one "
            "column of your tile, and what would one more word in each row change?",
            weight(2)},
           {metric::time_among_anchors,
            {anchor("solution", 1), anchor("unpadded", 0.4), anchor("naive-square-blocks", 0.2),
             anchor("naive-strided-writes", 0)},
            "A transpose moves what a copy moves. How many loads does each thread have under way at a time?"}},
      .pass_at = 60,
  };
}

// Scale the rows of a row-major and of a column-major matrix: coalesced access, whatever the layout.
#include "spec/lab.h"

using namespace simtlab;

// Implemented by the student in kernel.cu.
void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols);

lab define_lab() {
  return lab_spec<in<float>, in<float>, in<float>, out<float>, out<float>, int, int>{
      .entry = scale_rows,
      .parameters = {"row_major", "column_major", "factors", "scaled_row_major", "scaled_column_major", "rows", "cols"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int rows = c["rows"], cols = c["cols"];
            return arguments(shaped(random["row_major"].uniform<float>(rows * cols), rows, cols),
                             random["column_major"].uniform<float>(rows * cols), random["factors"].uniform<float>(rows),
                             elements(rows, cols), elements(rows * cols), rows, cols);
          },
      .reference =
          [](std::span<const float> row_major, std::span<const float> column_major, std::span<const float> factors,
             std::span<float> scaled_row_major, std::span<float> scaled_column_major, std::size_t rows,
             std::size_t cols) {
            const auto scale = [&](std::size_t begin, std::size_t end) {
              for (std::size_t r = begin; r < end; ++r)
                for (std::size_t c = 0; c < cols; ++c) {
                  const double factor = factors[r];
                  scaled_row_major[r * cols + c] = static_cast<float>(factor * row_major[r * cols + c]);
                  scaled_column_major[c * rows + r] = static_cast<float>(factor * column_major[c * rows + r]);
                }
            };
            in_pieces(rows, scale, rows * cols);
          },
      .tolerance =
          exact,  // one product, rounded once: in double precision it is exact, so both round to the same float
      .cases = {{"one element", {{"rows", 1}, {"cols", 1}}},
                {"one row", {{"rows", 1}, {"cols", 97}}},
                {"one column", {{"rows", 89}, {"cols", 1}}},
                {"smaller than a warp", {{"rows", 5}, {"cols", 7}}},
                {"one block", {{"rows", 32}, {"cols", 32}}},
                {"primes", {{"rows", 61}, {"cols", 43}}},
                {"ragged edges", {{"rows", 33}, {"cols", 130}}},
                {"tall", {{"rows", 257}, {"cols", 9}}}},
      .benchmark = {.emulator = {{"rows", 256}, {"cols", 512}}, .gpu = {{"rows", 8192}, {"cols", 4096}}},
      .model =
          [](const test_case& c) {
            const double rows = c["rows"], elements = 2 * rows * c["cols"];
            return work{.bytes_read = 4 * (elements + rows), .bytes_written = 4 * elements, .operations = elements};
          },
      .criteria =
          {{metric::sector_efficiency("row_major"), full_at(1.0), none_at(0.5),
            "Write down the addresses that lanes 0, 1 and 2 of a warp read in one request. In a row-major matrix, "
            "which "
            "of row and column has to grow from lane to lane? If they are neighbours already: does lane 0 begin where "
            "a sector does?"},
           {metric::sector_efficiency("scaled_row_major"), full_at(1.0), none_at(0.5),
            "The result lies in memory like its matrix: what holds for the read holds for the store."},
           {metric::sector_efficiency("column_major"), full_at(1.0), none_at(0.5),
            "Write down the addresses that lanes 0, 1 and 2 of a warp read in one request. In a column-major matrix "
            "the next element in memory is the next one of the column. If they are neighbours already: does lane 0 "
            "begin where a sector does?"},
           {metric::sector_efficiency("scaled_column_major"), full_at(1.0), none_at(0.5),
            "The result lies in memory like its matrix: what holds for the read holds for the store."},
           {metric::time_among_anchors,
            {anchor("solution", 1), anchor("narrow-blocks", 0.5), anchor("x-along-columns-twice", 0.2),
             anchor("both-strided", 0)},
            "Scaling moves what a copy moves. How many of the bytes that memory delivers does each request use?"}},
      .pass_at = 60,
  };
}

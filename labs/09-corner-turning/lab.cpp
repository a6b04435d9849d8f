// The tiled product P (j × l) = M (j × k) · N (k × l) of matrices of any size, N stored column after column.
#include "spec/lab.h"

using namespace simtlab;

// Implemented by the student in kernel.cu.
void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l);

lab define_lab() {
  return lab_spec<in<float>, in<float>, out<float>, int, int, int>{
      .entry = matrix_multiply,
      .parameters = {"m", "n", "p", "j", "k", "l"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int j = c["j"], k = c["k"], l = c["l"];
            return arguments(shaped(random["m"].uniform<float>(j * k), j, k),
                             shaped(random["n"].uniform<float>(k * l), k, l), elements(j, l), j, k, l);
          },
      .reference =
          [](std::span<const float> m, std::span<const float> n, std::span<float> p, std::size_t j, std::size_t k,
             std::size_t l) {
            for (std::size_t row = 0; row < j; ++row)
              for (std::size_t col = 0; col < l; ++col) {
                double sum = 0;
                for (std::size_t i = 0; i < k; ++i)
                  sum += static_cast<double>(m[row * k + i]) * static_cast<double>(n[col * k + i]);
                p[row * l + col] = static_cast<float>(sum);
              }
          },
      // Each element of P is a sum of k products: any order of the sum is accepted, half precision inside is not.
      .tolerance = [](const test_case& c) { return sum_of_products(c["k"]); },
      .cases = {{"one element", {{"j", 1}, {"k", 1}, {"l", 1}}},
                {"smaller than a tile", {{"j", 3}, {"k", 5}, {"l", 7}}},
                {"one tile", {{"j", 16}, {"k", 16}, {"l", 16}}},
                {"a row times a column", {{"j", 1}, {"k", 97}, {"l", 1}}},
                {"a column times a row", {{"j", 67}, {"k", 1}, {"l", 41}}},
                {"primes", {{"j", 31}, {"k", 47}, {"l", 61}}},
                {"ragged edges", {{"j", 33}, {"k", 65}, {"l", 17}}},
                {"larger", {{"j", 96}, {"k", 160}, {"l", 128}}}},
      // On the emulator tiles hang over the edges of P; columns of N and rows begin with a sector.
      .benchmark = {.emulator = {{"j", 127}, {"k", 128}, {"l", 184}}, .gpu = {{"j", 2048}, {"k", 2048}, {"l", 2048}}},
      .model =
          [](const test_case& c) {
            const double j = c["j"], k = c["k"], l = c["l"];
            // Tiles of 128 × 128, 8 × 8 results a thread, take 16 words for 64 multiply-adds from shared memory. The textbook's
            // take 2 words for each; what is asked here is that N goes through tiles at all.
            return work{.bytes_read = 4 * (j * k + k * l),
                        .bytes_written = 4 * j * l,
                        .operations = j * k * l,
                        .shared_bytes = 2 * j * k * l};
          },
      .criteria =
          {{metric::lane_loads_per_operation("m"), full_at(0.07), none_at(0.5),
            "How many multiply-adds does one element of M serve after it was fetched?", weight(0.5)},
           {metric::lane_loads_per_operation("n"), full_at(0.07), none_at(0.5),
            "How many multiply-adds does one element of N serve after it was fetched?", weight(0.5)},
           {metric::sector_efficiency("m"), full_at(1.0), none_at(0.25),
            "Let neighbouring lanes load neighbouring columns of M into its tile."},
           {metric::sector_efficiency("n"), full_at(1.0), none_at(0.25),
            "In N neighbours in memory lie below each other. Which elements of N do neighbouring lanes load?",
            weight(4)},
           {metric::wavefronts_over_minimum, full_at(1.2), none_at(2.6),
            "The tile of N is stored along one of its directions and read along the other. Which banks do the lanes of "
            "a warp hit?",
            weight(6)},
           {metric::ratio_to_baseline("cublas_sgemm"), full_at(0.14), none_at(0.08),
            "Compare the sectors that a warp touches when it loads its part of N's tile with those of M's."}},
      .proof = product_of("m", by_columns("n"), "p"),
      .pass_at = 60,
  };
}

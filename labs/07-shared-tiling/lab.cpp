// The tiled product of two matrices of any size: C (j × l) = A (j × k) · B (k × l).
#include "spec/lab.h"

using namespace simtlab;

// Implemented by the student in kernel.cu.
void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l);

lab define_lab() {
  return lab_spec<in<float>, in<float>, out<float>, int, int, int>{
      .entry = matrix_multiply,
      .parameters = {"a", "b", "c", "j", "k", "l"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int j = c["j"], k = c["k"], l = c["l"];
            return arguments(shaped(random["a"].uniform<float>(j * k), j, k),
                             shaped(random["b"].uniform<float>(k * l), k, l), elements(j, l), j, k, l);
          },
      .reference =
          [](std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t j, std::size_t k,
             std::size_t l) {
            for (std::size_t row = 0; row < j; ++row)
              for (std::size_t col = 0; col < l; ++col) {
                double sum = 0;
                for (std::size_t p = 0; p < k; ++p)
                  sum += static_cast<double>(a[row * k + p]) * static_cast<double>(b[p * l + col]);
                c[row * l + col] = static_cast<float>(sum);
              }
          },
      // Each element of C is a sum of k products: any order of the sum is accepted, half precision inside is not.
      .tolerance = [](const test_case& c) { return sum_of_products(c["k"]); },
      .cases = {{"one element", {{"j", 1}, {"k", 1}, {"l", 1}}},
                {"smaller than a tile", {{"j", 3}, {"k", 5}, {"l", 7}}},
                {"one tile", {{"j", 16}, {"k", 16}, {"l", 16}}},
                {"a row times a column", {{"j", 1}, {"k", 97}, {"l", 1}}},
                {"a column times a row", {{"j", 67}, {"k", 1}, {"l", 41}}},
                {"primes", {{"j", 31}, {"k", 47}, {"l", 61}}},
                {"ragged edges", {{"j", 33}, {"k", 65}, {"l", 17}}},
                {"larger", {{"j", 96}, {"k", 160}, {"l", 128}}}},
      // On the emulator no tile of 16 divides a size; rows begin with a sector, so that these cost no points.
      .benchmark = {.emulator = {{"j", 127}, {"k", 248}, {"l", 248}}, .gpu = {{"j", 2048}, {"k", 2048}, {"l", 2048}}},
      .model =
          [](const test_case& c) {
            const double j = c["j"], k = c["k"], l = c["l"];
            return work{.bytes_read = 4 * (j * k + k * l), .bytes_written = 4 * j * l, .operations = j * k * l};
          },
      .criteria = {{metric::lane_loads_per_operation("a"), full_at(0.065), none_at(0.5),
                    "How many multiply-adds does one element of A serve after it was fetched? Every thread in a row of "
                    "the block needs the same elements of A.",
                    weight(5)},
                   {metric::lane_loads_per_operation("b"), full_at(0.065), none_at(0.5),
                    "How many multiply-adds does one element of B serve after it was fetched? Every thread in a column "
                    "of the block needs the same elements of B.",
                    weight(5)},
                   {metric::sector_efficiency("a"), full_at(1.0), none_at(0.125),
                    "Let neighbouring lanes load neighbouring columns of A into its tile, by threadIdx.x.", weight(2)},
                   {metric::sector_efficiency("b"), full_at(1.0), none_at(0.125),
                    "Let neighbouring lanes load neighbouring columns of B into its tile, by threadIdx.x.", weight(2)},
                   {metric::ratio_to_baseline("cublas_sgemm"), full_at(0.15), none_at(0.08),
                    "Compare the bytes that each multiply-add fetches with what the library needs."}},
      .proof = product_of("a", "b", "c"),
      .pass_at = 60,
  };
}

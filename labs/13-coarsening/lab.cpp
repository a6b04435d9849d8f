// The tiled product of two matrices of any size, coarsened: P (j × l) = M (j × k) · N (k × l), several results a thread.
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
                  sum += static_cast<double>(m[row * k + i]) * static_cast<double>(n[i * l + col]);
                p[row * l + col] = static_cast<float>(sum);
              }
          },
      // Each element of P is a sum of k products: any order of the sum is accepted, half precision inside is not.
      .tolerance = [](const test_case& c) { return sum_of_products(c["k"]); },
      .cases = {{"one element", {{"j", 1}, {"k", 1}, {"l", 1}}},
                {"smaller than a tile", {{"j", 3}, {"k", 5}, {"l", 7}}},
                {"one block", {{"j", 16}, {"k", 16}, {"l", 64}}},
                {"a row times a column", {{"j", 1}, {"k", 97}, {"l", 1}}},
                {"a column times a row", {{"j", 67}, {"k", 1}, {"l", 83}}},
                {"primes", {{"j", 31}, {"k", 47}, {"l", 61}}},
                {"ragged edges", {{"j", 33}, {"k", 65}, {"l", 81}}},
                {"larger", {{"j", 48}, {"k", 80}, {"l", 192}}}},
      .benchmark = {.emulator = {{"j", 64}, {"k", 128}, {"l", 256}}, .gpu = {{"j", 2048}, {"k", 2048}, {"l", 2048}}},
      .model =
          [](const test_case& c) {
            const double j = c["j"], k = c["k"], l = c["l"];
            return work{.bytes_read = 4 * (j * k + k * l), .bytes_written = 4 * j * l, .operations = j * k * l};
          },
      .criteria = {{metric::lane_loads_per_operation(), full_at(0.078125), none_at(0.09375),
                    "How many multiply-adds does an element serve after it was fetched? Tiles of P that lie side by "
                    "side all need the same tile of M: who could load it once for all of them?",
                    weight(10)},
                   {metric::stores_per_thread("p"), full_at(4), none_at(1),
                    "How many elements of P does one thread compute, and how many threads are there in the whole grid?",
                    weight(6)},
                   {metric::lane_loads_per_operation("m"), full_at(0.0625), none_at(0.5),
                    "How many multiply-adds does one element of M serve after it was fetched? Every thread in a row of "
                    "the block needs the same elements of M."},
                   {metric::lane_loads_per_operation("n"), full_at(0.0625), none_at(0.5),
                    "How many multiply-adds does one element of N serve after it was fetched? Every thread in a column "
                    "of the block needs the same elements of N."},
                   {metric::sector_efficiency("m"), full_at(1.0), none_at(0.125),
                    "Let neighbouring lanes load neighbouring columns of M into its tile, by threadIdx.x."},
                   {metric::sector_efficiency("n"), full_at(1.0), none_at(0.125),
                    "Let neighbouring lanes load neighbouring columns of N into its tile, by threadIdx.x."},
                   {metric::ratio_to_baseline("cublas_sgemm"), full_at(0.165), none_at(0.08),
                    "Compare the bytes that each multiply-add fetches with what the library needs."}},
      .proof = product_of("m", "n", "p"),
      .pass_at = 60,
  };
}

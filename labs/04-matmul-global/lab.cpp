// The product of two matrices of any size from global memory: P (j × l) = M (j × k) · N (k × l), a thread for each result.
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
                {"smaller than a warp", {{"j", 3}, {"k", 5}, {"l", 7}}},
                {"a square", {{"j", 16}, {"k", 16}, {"l", 16}}},  // exchanged indices stay inside: the answer tells
                {"one less than a warp", {{"j", 5}, {"k", 6}, {"l", 31}}},
                {"a row times a column", {{"j", 1}, {"k", 97}, {"l", 1}}},
                {"a column times a row", {{"j", 67}, {"k", 1}, {"l", 83}}},
                {"primes", {{"j", 31}, {"k", 47}, {"l", 61}}},
                {"ragged edges", {{"j", 65}, {"k", 17}, {"l", 33}}},
                {"many blocks", {{"j", 300}, {"k", 4}, {"l", 210}}}},
      // On the emulator the blocks hang over both edges; rows begin with a sector, so that these cost no points. P is
      // taller than wide: with a thread for each column the work of few warps shows.
      .benchmark = {.emulator = {{"j", 253}, {"k", 120}, {"l", 88}}, .gpu = {{"j", 2048}, {"k", 2048}, {"l", 2048}}},
      .model =
          [](const test_case& c) {
            const double j = c["j"], k = c["k"], l = c["l"];
            return work{.bytes_read = 4 * (j * k + k * l), .bytes_written = 4 * j * l, .operations = j * k * l};
          },
      .criteria =
          {{metric::lane_loads_per_operation("m"), full_at(1), none_at(2),
            "A multiply-add needs one element of M and none of P. Who computes an element of P again, and where is the "
            "sum kept?"},
           {metric::lane_loads_per_operation("n"), full_at(1), none_at(2),
            "A multiply-add needs one element of N and none of P. Who computes an element of P again, and where is the "
            "sum kept?"},
           {metric::sector_efficiency("m"), full_at(0.5), none_at(0.125),
            "In one step of the loop over k, which elements of M do the 32 lanes of a warp read? Lanes in one row of P "
            "need the same one.",
            weight(2)},
           {metric::sector_efficiency("n"), full_at(1.0), none_at(0.125),
            "In one step of the loop over k, which elements of N do the 32 lanes of a warp read? Neighbouring lanes "
            "should have neighbouring columns.",
            weight(2)},
           {metric::sector_efficiency("p"), full_at(1.0), none_at(0.125),
            "Which elements of P do the 32 lanes of a warp store? threadIdx.x counts lanes first: should it count rows "
            "or "
            "columns?",
            weight(2)},
           {metric::moved_bytes_per_operation(), full_at(5.5), none_at(12),
            "Count by hand what one step of the loop moves for a warp: sectors of M, of N, and of P if the sum is kept "
            "there.",
            weight(6)},
           {metric::ratio_to_baseline("cublas_sgemm"), full_at(0.08), none_at(0.04),
            "Which addresses do neighbouring threads read, and is there a thread for each element of P?"}},
      .proof = product_of("m", "n", "p"),
      .pass_at = 60,
  };
}

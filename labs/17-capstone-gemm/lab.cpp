// The fastest product of two matrices of any size, in single precision: C (j × l) = A (j × k) · B (k × l).
#include "spec/lab.h"

using namespace simtlab;

// Implemented by the student in kernel.cu.
void gemm(const float* a, const float* b, float* c, int j, int k, int l);

lab define_lab() {
  return lab_spec<in<float>, in<float>, out<float>, int, int, int>{
      .entry = gemm,
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
                for (std::size_t i = 0; i < k; ++i)
                  sum += static_cast<double>(a[row * k + i]) * static_cast<double>(b[i * l + col]);
                c[row * l + col] = static_cast<float>(sum);
              }
          },
      // Each element of C is a sum of k products: any order of the sum is accepted, half precision inside is not.
      .tolerance = [](const test_case& c) { return sum_of_products(c["k"]); },
      .cases = {{"one element", {{"j", 1}, {"k", 1}, {"l", 1}}},
                {"smaller than a warp", {{"j", 3}, {"k", 5}, {"l", 7}}},
                {"a row times a column", {{"j", 1}, {"k", 97}, {"l", 1}}},
                {"a column times a row", {{"j", 67}, {"k", 1}, {"l", 83}}},
                {"primes", {{"j", 37}, {"k", 43}, {"l", 61}}},
                {"whole tiles", {{"j", 128}, {"k", 32}, {"l", 256}}},
                {"ragged, rows of whole vectors", {{"j", 134}, {"k", 52}, {"l", 132}}},
                {"ragged, no row begins at 16 bytes", {{"j", 129}, {"k", 65}, {"l", 257}}}},
      .benchmark = {.emulator = {{"j", 256}, {"k", 64}, {"l", 512}}, .gpu = {{"j", 2048}, {"k", 2048}, {"l", 2048}}},
      .model =
          [](const test_case& c) {
            const double j = c["j"], k = c["k"], l = c["l"];
            return work{.bytes_read = 4 * (j * k + k * l), .bytes_written = 4 * j * l, .operations = j * k * l};
          },
      .criteria =
          {{metric::operations_per_pass, full_at(240), none_at(16),
            "How many multiply-adds does a warp make for each time that it goes to memory, shared or global? A "
            "float in a register serves all of a thread's results in its row or column.",
            weight(52)},
           {metric::lane_loads_per_operation(), full_at(0.015625), none_at(0.0625),
            "How many multiply-adds does an element serve after a block fetched it? The larger the block's part "
            "of C, the more; threads that have several results each make a large part with few threads.",
            weight(30)},
           {metric::lane_loads_per_operation("a"), full_at(0.0625), none_at(0.5),
            "Every thread in a row of the block needs the same elements of A. Who fetches them?", weight(6)},
           {metric::lane_loads_per_operation("b"), full_at(0.0625), none_at(0.5),
            "Every thread in a column of the block needs the same elements of B. Who fetches them?", weight(6)},
           {metric::sector_efficiency("a"), full_at(1.0), none_at(0.125),
            "Let neighbouring lanes fetch neighbouring columns of A, whatever order they are stored in.", weight(2)},
           {metric::sector_efficiency("b"), full_at(1.0), none_at(0.125),
            "Let neighbouring lanes fetch neighbouring columns of B.", weight(2)},
           {metric::sector_efficiency("c"), full_at(1.0), none_at(0.125),
            "Which columns of C does a warp store at once? Groups of eight floats fill a sector.", weight(2)},
           {metric::ratio_to_baseline("cublas_sgemm"), full_at(0.9), none_at(0.1),
            "The library's product is bound by multiply-adds. What do your warps wait for?"}},
      .proof = product_of("a", "b", "c"),
      .pass_at = 60,
  };
}

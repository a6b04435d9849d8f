// Warp primitives twice: a sum with a count of the negative values, and an inclusive scan.
#include "spec/lab.h"

using namespace simtlab;

// Given in kernel.cu: it calls the student's two functions, each only when it has something to do.
void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count);

lab define_lab() {
  return lab_spec<in<float>, out<float>, out<unsigned int>, int, in<float>, out<float>, int>{
      .entry = sum_and_scan,
      .parameters = {"values", "sum", "negatives", "value_count", "items", "prefix", "item_count"},
      // Mostly positive: sums grow with their terms, so that one rounded to half precision is out of tolerance at any stage.
      .arguments =
          [](const test_case& c, random_source& random) {
            const int n = c["values"], m = c["items"];
            return arguments(random["values"].uniform<float>(n, -0.5F, 1), elements(n > 0 ? 1 : 0),
                             elements(n > 0 ? 1 : 0), n, random["items"].uniform<float>(m, -0.5F, 1), elements(m), m);
          },
      .reference =
          [](std::span<const float> values, std::span<float> sum, std::span<unsigned int> negatives, int,
             std::span<const float> items, std::span<float> prefix, int) {
            for (float& result : sum) {
              double total = 0;
              for (const float value : values) total += static_cast<double>(value);
              result = static_cast<float>(total);
            }
            for (unsigned int& result : negatives) {
              result = 0;
              for (const float value : values) result += value < 0 ? 1 : 0;
            }
            double total = 0;
            for (std::size_t i = 0; i < items.size(); ++i) {
              total += static_cast<double>(items[i]);
              prefix[i] = static_cast<float>(total);
            }
          },
      // Sums of that many terms, added in any order: 4·√terms·2⁻²⁴ of the sum of the terms' sizes.
      .tolerance =
          [](const test_case& c) { return sum_of_products(c["values"] > c["items"] ? c["values"] : c["items"]); },
      .cases = {{"one value", {{"values", 1}, {"items", 0}}},
                {"values for less than a warp", {{"values", 19}, {"items", 0}}},
                {"a prime number of values", {{"values", 1009}, {"items", 0}}},
                {"one value more than a block of 256", {{"values", 257}, {"items", 0}}},
                {"many values", {{"values", 40009}, {"items", 0}}},
                {"one item", {{"values", 0}, {"items", 1}}},
                {"items for less than a warp", {{"values", 0}, {"items", 23}}},
                {"one item more than a warp", {{"values", 0}, {"items", 33}}},
                {"a prime number of items", {{"values", 0}, {"items", 2053}}},
                {"both parts, larger", {{"values", 20021}, {"items", 12289}}}},
      .benchmark = {.emulator = {{"values", 65536}, {"items", 65536}},
                    .gpu = {{"values", 67108864}, {"items", 33554432}}},
      // One operation is one value, and in the emulator's benchmark also one item.
      .model =
          [](const test_case& c) {
            const double n = c["values"], m = c["items"];
            return work{.bytes_read = 4 * (n + m), .bytes_written = 4 * m + 8, .operations = n > m ? n : m};
          },
      .criteria = {{metric::shared_wavefronts_per_warp("values"), full_at(3.5), none_at(5.5),
                    "Inside a warp no value needs to travel through shared memory: a lane can read another lane's "
                    "register. What is left for shared memory when each warp already has its one sum?",
                    weight(3)},
                   {metric::shared_wavefronts_per_warp("items"), full_at(4), none_at(12),
                    "Five steps scan the 32 values of a warp in registers. Shared memory then carries one number a "
                    "warp, however large the block is.",
                    weight(5)},
                   {metric::atomics_per_block("sum"), full_at(1), none_at(16),
                    "How many threads of a block know a part of the sum at the end, and how many of them have to add "
                    "it to the same address?",
                    weight(1.5)},
                   {metric::atomics_per_operation("sum"), full_at(0.0005), none_at(0.004),
                    "Additions to one address wait for each other. How many values does a block add up before its "
                    "result goes there?",
                    weight(1.5)},
                   {metric::moved_bytes_per_operation(), full_at(24), none_at(64),
                    "Count how often each element crosses from or to global memory, and whether neighbouring lanes "
                    "touch neighbouring elements.",
                    weight(1.5)},
                   {metric::time_among_anchors,
                    {anchor("chunk-per-thread", 1), anchor("scan-then-add", 0.35), anchor("without-shuffles", 0.1)},
                    "How many elements does each thread keep in registers, and how often is each read?"}},
      .pass_at = 60,
  };
}

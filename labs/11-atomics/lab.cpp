// Atomics twice: a histogram that counts in private first, and a maximum of floats by compare-and-swap.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include "spec/lab.h"

using namespace simtlab;

// Given in kernel.cu: it calls the student's two functions, each only when it has something to do.
void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count);

lab define_lab() {
  return lab_spec<in<unsigned char>, out<unsigned int>, int, in<float>, out<float>, int>{
      .entry = histogram_and_maximum,
      .parameters = {"bytes", "bins", "byte_count", "values", "largest", "value_count"},
      // The first `equal` bytes are one and the same, the others random. `kind` of the values: 0 between -90 and 90, 1 all
      // negative, 2 negative and every third no number, 3 none a number, 4 as 0 and the largest where a seventh block of 256
      // threads begins, which strides that are one too long, or twice as long, leave out.
      .arguments =
          [](const test_case& c, random_source& random) {
            const int n = c["bytes"], m = c["values"], kind = c["kind"];
            auto bytes = random["bytes"].uniform<unsigned char>(n, 0, 255);
            std::fill_n(bytes.begin(), c["equal"], 65);
            auto values = random["values"].uniform<float>(m, -90, kind == 0 || kind == 4 ? 90.0F : -1.0F);
            const std::size_t step = kind == 3 ? 1 : 3;
            for (std::size_t i = 0; (kind == 2 || kind == 3) && i < values.size(); i += step)
              values[i] = std::numeric_limits<float>::quiet_NaN();
            if (kind == 4 && m > 1536) values[1536] = 100;
            if (kind == 2)  // below what a variable without a first value holds here, -1.7e38
              for (float& value : values) value = value * 1e36F - 2e38F;
            return arguments(std::move(bytes), elements(n > 0 ? 256 : 0), n, std::move(values), elements(m > 0 ? 1 : 0),
                             m);
          },
      .reference =
          [](std::span<const unsigned char> bytes, std::span<unsigned int> bins, int, std::span<const float> values,
             std::span<float> largest, int) {
            for (unsigned int& bin : bins) bin = 0;
            std::mutex merging;
            in_pieces(bytes.size(), [&](std::size_t begin, std::size_t end) {
              std::array<unsigned int, 256> counted{};
              for (std::size_t i = begin; i < end; ++i) ++counted[bytes[i]];
              const std::lock_guard alone(merging);
              for (std::size_t bin = 0; bin < bins.size(); ++bin) bins[bin] += counted[bin];
            });
            for (float& result : largest) {
              result = -std::numeric_limits<float>::infinity();
              for (const float value : values)
                if (value > result) result = value;  // false for what is no number
            }
          },
      .tolerance = exact,  // counts are integers, and a maximum is one of the values
      .cases = {{"one byte", {{"bytes", 1}, {"equal", 0}, {"values", 0}, {"kind", 0}}},
                {"less than a warp of bytes", {{"bytes", 19}, {"equal", 5}, {"values", 0}, {"kind", 0}}},
                {"a prime number of bytes", {{"bytes", 4099}, {"equal", 0}, {"values", 0}, {"kind", 0}}},
                {"all bytes equal", {{"bytes", 10007}, {"equal", 10007}, {"values", 0}, {"kind", 0}}},
                {"one value", {{"bytes", 0}, {"equal", 0}, {"values", 1}, {"kind", 0}}},
                {"values of both signs", {{"bytes", 0}, {"equal", 0}, {"values", 1009}, {"kind", 0}}},
                {"negative values", {{"bytes", 0}, {"equal", 0}, {"values", 257}, {"kind", 1}}},
                {"some are not numbers", {{"bytes", 0}, {"equal", 0}, {"values", 517}, {"kind", 2}}},
                {"none is a number", {{"bytes", 0}, {"equal", 0}, {"values", 45}, {"kind", 3}}},
                {"both parts, larger", {{"bytes", 20011}, {"equal", 700}, {"values", 20021}, {"kind", 4}}}},
      .benchmark = {.emulator = {{"bytes", 65536}, {"equal", 32768}, {"values", 65536}, {"kind", 0}},
                    .gpu = {{"bytes", 268435456}, {"equal", 134217728}, {"values", 0}, {"kind", 0}}},
      // One operation is one byte, and in the emulator's benchmark also one value.
      .model =
          [](const test_case& c) {
            const double n = c["bytes"], m = c["values"];
            return work{.bytes_read = n + 4 * m, .bytes_written = 4 * 256 + 4, .operations = n > m ? n : m};
          },
      .criteria =
          {{metric::atomics_per_operation("bins"), full_at(0.0625), none_at(1.0),
            "How many bytes does a block count before it adds its 256 counters to the result? The more it "
            "counts in private, the less each byte costs in global memory.",
            weight(2)},
           {metric::same_address_lanes("bins"), full_at(1), none_at(8),
            "Equal bytes in one warp mean one address in one request, and the hardware serves those lanes one "
            "after the other. Where could a block count so that the lanes that reach global memory each have "
            "a bin of their own?",
            weight(4)},
           {metric::moved_bytes_per_operation("bytes"), full_at(1.25), none_at(4),
            "Each byte has to cross from global memory once. Which bytes do the 32 lanes of a warp read in one "
            "request, and who else reads them?",
            weight(2)},
           {metric::moved_bytes_per_operation("values"), full_at(5), none_at(16),
            "Each value is four bytes and has to cross from global memory once. Which values do the 32 lanes of a "
            "warp read in one request, and who else reads them?"},
           {metric::atomics_per_operation("largest"), full_at(0.016), none_at(1.0),
            "A thread that looks at many values knows their maximum without asking anybody. How many "
            "compare-and-swaps are then left?",
            weight(1.5)},
           {metric::same_address_lanes("largest"), full_at(1), none_at(32),
            "All lanes of a warp swap at one address, so each waits for the others, and most have to try "
            "again. Who of a block has to go to global memory at all?",
            weight(2)},
           {metric::ratio_to_baseline("cub_histogram"), full_at(1.0), none_at(0.005),
            "How many bytes does one load bring, and how many warps count in the same 256 words?"}},
      .pass_at = 60,
  };
}

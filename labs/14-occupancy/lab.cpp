// How often does each of 16 symbols occur in each of many sequences: counts in registers, and blocks that fill an SM.
#include "spec/lab.h"

using namespace simtlab;

void tally(const unsigned char* symbols, int* counts, int sequences, int length);  // implemented by the student

namespace {
constexpr int kinds = 16;
}

lab define_lab() {
  return lab_spec<in<unsigned char>, out<int>, int, int>{
      .entry = tally,
      .parameters = {"symbols", "counts", "sequences", "length"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int sequences = c["sequences"], length = c["length"];
            return arguments(
                shaped(random["symbols"].uniform<unsigned char>(sequences * length, 0, kinds - 1), length, sequences),
                elements(kinds, sequences), sequences, length);
          },
      .reference =
          [](std::span<const unsigned char> symbols, std::span<int> counts, std::size_t sequences, std::size_t length) {
            for (int& count : counts) count = 0;
            for (std::size_t i = 0; i < length; ++i)
              for (std::size_t s = 0; s < sequences; ++s) ++counts[symbols[i * sequences + s] * sequences + s];
          },
      .tolerance = exact,  // counts: any difference is a bug
      .cases = {{"one element", {{"sequences", 1}, {"length", 1}}},
                {"one long sequence", {{"sequences", 1}, {"length", 300}}},
                {"one symbol each", {{"sequences", 37}, {"length", 1}}},
                {"less than a warp", {{"sequences", 31}, {"length", 20}}},
                {"one block and one", {{"sequences", 257}, {"length", 19}}},
                {"primes", {{"sequences", 1009}, {"length", 67}}},
                {"longer than a byte counts", {{"sequences", 48}, {"length", 5000}}}},
      .benchmark = {.emulator = {{"sequences", 12288}, {"length", 128}},
                    .gpu = {{"sequences", 1048576}, {"length", 256}}},
      .model =
          [](const test_case& c) {
            const double symbols = static_cast<double>(c["sequences"]) * c["length"];
            return work{.bytes_read = symbols, .bytes_written = 4.0 * kinds * c["sequences"], .operations = symbols};
          },
      .criteria =
          {{metric::sector_efficiency("symbols"), full_at(1.0), none_at(0.125),
            "Symbol i of all sequences stands side by side. Which symbols do the 32 lanes of a warp read in one "
            "request?"},
           {metric::moved_bytes_per_operation(), full_at(2), none_at(16),
            "How often does a thread go to global memory for each symbol? It needs to read the symbol, and to store "
            "its counts once, when it is done."},
           {metric::local_bytes_per_operation, full_at(0), none_at(4),
            "Registers have no addresses, so no index can choose among them. Which line of your kernel has an index "
            "that the compiler cannot know? Can every count ask whether the symbol is its own?",
            weight(5)},
           {metric::resident_warps("rtx3090"), full_at(48), none_at(16),
            "Work out the four limits of your launch by hand: blocks, threads, shared memory, registers. Which one is "
            "the smallest, and what in your launch would raise it?",
            weight(3)}},
      .pass_at = 60,
  };
}

// A signal amplified three ways: by explicit copies, in managed memory, and in streams.
#include "spec/lab.h"

using namespace simtlab;

// Implemented by the student in kernel.cu.
cudaError_t three_ways(const float* signal, const float* gains, float* copied, float* managed, float* streamed,
                       int* clipped, int n, int steps);

static double pages(double bytes) {
  constexpr double page = 65536;
  return static_cast<double>(static_cast<long long>((bytes + page - 1) / page));
}

lab define_lab() {
  return host_lab_spec<in<float>, in<float>, out<float>, out<float>, out<float>, out<int>, int, int>{
      .entry = three_ways,
      .parameters = {"signal", "gains", "copied", "managed", "streamed", "clipped", "n", "steps"},
      .arguments =
          [](const test_case& c, random_source& random) {
            const int n = c["n"], steps = c["steps"];
            return arguments(random["signal"].uniform<float>(n), random["gains"].uniform<float>(steps, 0.5f, 1.5f),
                             elements(n), elements(n), elements(n), elements(1), n, steps);
          },
      .reference =
          [](std::span<const float> signal, std::span<const float> gains, std::span<float> copied,
             std::span<float> managed, std::span<float> streamed, std::span<int> clipped, int n, int steps) {
            clipped[0] = 0;
            for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
              float x = signal[i];
              for (std::size_t k = 0; k < static_cast<std::size_t>(steps); ++k) {
                x *= gains[k];
                if (x >= -1 && x <= 1) continue;
                x = x < 0 ? -1.0F : 1.0F;
                ++clipped[0];
              }
              copied[i] = managed[i] = streamed[i] = x;
            }
          },
      .tolerance = exact,  // a step is one multiplication, rounded once
      .cases = {{"one element", {{"n", 1}, {"steps", 1}}},
                {"less than a warp", {{"n", 19}, {"steps", 3}}},
                {"one element more than a block", {{"n", 257}, {"steps", 2}}},
                {"a prime", {{"n", 1009}, {"steps", 5}}},
                {"more than a page", {{"n", 20000}, {"steps", 4}}},
                {"larger", {{"n", 65543}, {"steps", 8}}},
                {"the second call fails", {{"n", 300}, {"steps", 2}}, fail_api_call(2)}},
      .benchmark = {.emulator = {{"n", 131072}, {"steps", 4}}, .gpu = {{"n", 16777216}, {"steps", 4}}},
      .model =
          [](const test_case& c) {
            const double n = c["n"], steps = c["steps"];
            return work{.bytes_read = 4 * n + 4 * steps,
                        .bytes_written = 12 * n + 4,
                        .operations = 3 * n * steps,
                        .copied_bytes = 16 * n + 4 * steps,                 // two of the ways copy: there and back
                        .migrated_pages = 2 * pages(4 * n) + 2 * pages(4),  // the signal and the count: there and back
                        .streamed_bytes = 8 * n};
          },
      .criteria =
          {{metric::copied_bytes_over_minimum, full_at(1.01), none_at(1.4),
            "Two of the three ways copy. Which arrays have to cross the bus there, and how often?", weight(3)},
           {metric::pages_migrated_over_minimum, full_at(1.1), none_at(2),
            "A page moves whenever the other side touches it. Who touches the managed array between the first launch "
            "and the last?",
            weight(3)},
           {metric::prefetched_page_share, full_at(0.85), none_at(0),
            "A page that moves because somebody touched it keeps that somebody waiting. Which pages does each side "
            "need next, and when is that known?",
            weight(2)},
           {metric::overlapped_copy_share, full_at(0.75), none_at(0),
            "While one piece of the signal is worked on, what could the bus do? Operations of one stream never "
            "overlap, and copies of memory that is not page-locked make the host wait.",
            weight(3)},
           {metric::moved_bytes_per_operation(), full_at(11), none_at(40),
            "Neighbouring threads should take neighbouring elements.", weight(1)},
           {metric::leaked_bytes, full_at(0), none_at(1),
            "Each allocation is given back, whichever way the function ends."}},
      .severities = {{"leak", severity::error}},
      .pass_at = 60,
  };
}

// Where the inputs of one call come from.
//
// A grading has one secret: its seed. Each kind of case (a lab's own, hidden, the benchmark), each case and each round
// gets a seed of its own through a one-way function, SipHash-2-4 keyed with the secret. So whoever sees the inputs of one
// call, as the submission does, and works out the stream they came from, learns nothing of any other call's.
#pragma once

#include <cstdint>
#include <string_view>

namespace simtlab {

enum class case_kind : std::uint8_t { visible, hidden, benchmark };

/// The seed of a random_source for one round of one case.
[[nodiscard]] std::uint64_t input_seed(std::uint64_t secret, case_kind, std::string_view case_name, unsigned round);

/// SipHash-2-4 (Aumasson, Bernstein: SipHash: a fast short-input PRF, 2012).
[[nodiscard]] std::uint64_t siphash(std::uint64_t key0, std::uint64_t key1, std::string_view message);

}  // namespace simtlab

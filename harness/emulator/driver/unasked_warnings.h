// What simtcc warns of in CUDA sources without being asked.
#pragma once

#include <string>
#include <vector>

namespace simtlab::emulator {

/// The words for g++ in front of `given`, the user's own `-W…`, which have the last word: warnings of what is almost always a
/// mistake. Where `given` has -Werror, those that nvcc's g++ would not give stay warnings, unless the user asks for them.
[[nodiscard]] std::vector<std::string> unasked_warnings(const std::vector<std::string>& given);

}  // namespace simtlab::emulator

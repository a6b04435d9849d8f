// What usually lies behind a compiler's message in CUDA code, in one sentence.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// Empty when there is nothing to add. `message` is g++'s or the linker's, without place and kind.
[[nodiscard]] std::string hint_for(std::string_view message);

/// What `in_cuda_words` makes of a launch without its three angle brackets; what else g++ says of that line follows from it.
extern const std::string_view misspelled_launch;

/// g++'s message in the words of CUDA where it speaks of the emulator's own functions; else `message` itself.
[[nodiscard]] std::string in_cuda_words(const std::string& message);

}  // namespace simtlab::emulator

// g++'s options, which reach simtcc behind -Xcompiler, through -forward-unknown-to-host-compiler or as they are: where each goes.
#pragma once

#include <cstdint>
#include <string_view>

namespace simtlab::emulator {

enum class host_treatment : std::uint8_t {
  plain,          ///< to files that are compiled as plain C++; kernels have options of their own
  plain_alone,    ///< the same, and a note says so where there are kernels
  everywhere,     ///< to all files and the linker
  preprocessing,  ///< to the preprocessor of all files
  warning,        ///< to all files
  linking,        ///< to the linker
  standard,       ///< the dialect of all files
  satisfied,      ///< nothing to do
  verbose,        ///< the preprocessor says where it looks for headers
  noted,          ///< without effect, and a note says so
  refused         ///< the program's results would not be those that the option asks for
};

struct host_option {
  host_treatment treatment;
  std::string_view why{};  ///< of `plain_alone`, `noted` and `refused`
};

[[nodiscard]] host_option host_option_of(std::string_view word);

/// Whether the value of this option is the next word, as of `-include`.
[[nodiscard]] bool takes_next_word(std::string_view word);

}  // namespace simtlab::emulator

// Files of further options: `--options-file FILE`, nvcc's, and `@FILE`, g++'s. Build systems write them for long command lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

/// The words of a text, separated by white space; quotes and backslashes as in a shell, without variables.
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

/// `words` with the contents of the files that they name in their places. Throws usage_error where one cannot be read.
[[nodiscard]] std::vector<std::string> with_response_files(const std::vector<std::string>& words);

}  // namespace simtlab::emulator

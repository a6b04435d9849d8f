// A text, line by line.
#pragma once

#include <algorithm>
#include <string_view>

namespace simtlab::emulator {

/// The next line, without its end; `text` loses both.
inline std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

}  // namespace simtlab::emulator

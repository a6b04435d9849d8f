#include "judge/render/style.h"

#include <unistd.h>

#include <cstdlib>

namespace simtlab {

text_style text_style::of_standard_output() {
  const char* no = std::getenv("NO_COLOR");
  return text_style(isatty(STDOUT_FILENO) != 0 && (no == nullptr || *no == '\0'));
}

std::string text_style::operator()(colour c, const std::string& text) const {
  if (!coloured_) return text;
  const char* code = c == colour::green    ? "32"
                     : c == colour::red    ? "31"
                     : c == colour::yellow ? "33"
                     : c == colour::dim    ? "2"
                                           : "1";
  return std::string("\033[") + code + "m" + text + "\033[0m";
}

}  // namespace simtlab

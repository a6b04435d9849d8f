// Colour for a terminal, and nothing for a file or a pipe.
#pragma once

#include <string>

namespace simtlab {

enum class colour { green, red, yellow, dim, bold };

class text_style {
 public:
  explicit text_style(bool coloured) : coloured_(coloured) {}
  /// Coloured when standard output is a terminal and NO_COLOR is not set.
  static text_style of_standard_output();
  [[nodiscard]] std::string operator()(colour, const std::string&) const;

 private:
  bool coloured_;
};

}  // namespace simtlab

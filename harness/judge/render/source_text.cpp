#include "judge/render/source_text.h"

#include <fstream>

#include "judge/wording.h"

namespace simtlab {

source_text::source_text(const std::filesystem::path& path) : name_(path.filename().string()) {
  std::ifstream from(path);
  for (std::string raw; std::getline(from, raw);) {
    std::string line;
    for (const char c : raw)
      if (c == '\t')
        line += "  ";
      else if (c != '\r')
        line += c;
    lines_.push_back(printable(line, 1000));
  }
}

std::string source_text::line(int number) const {
  const auto i = static_cast<std::size_t>(number);
  return number >= 1 && i <= lines_.size() ? lines_[i - 1] : std::string();
}

}  // namespace simtlab

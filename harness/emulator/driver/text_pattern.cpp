#include "driver/text_pattern.h"

#include <regex.h>

#include <cstddef>
#include <stdexcept>

namespace simtlab::emulator {

struct text_pattern::compiled {
  explicit compiled(const std::string& pattern) {
    if (regcomp(&program, ("^(" + pattern + ")$").c_str(), REG_EXTENDED) != 0)
      throw std::logic_error("no regular expression: " + pattern);
  }
  compiled(const compiled&) = delete;
  compiled& operator=(const compiled&) = delete;
  ~compiled() { regfree(&program); }
  regex_t program{};
};

text_pattern::text_pattern(const std::string& pattern) : compiled_(std::make_shared<compiled>(pattern)) {}

std::vector<std::string> text_pattern::parts_of(const std::string& text) const {
  std::vector<regmatch_t> places(compiled_->program.re_nsub + 1);
  if (regexec(&compiled_->program, text.c_str(), places.size(), places.data(), 0) != 0) return {};
  std::vector<std::string> parts;
  for (std::size_t i = 1; i < places.size(); ++i)
    parts.push_back(places[i].rm_so < 0 ? ""
                                        : text.substr(static_cast<std::size_t>(places[i].rm_so),
                                                      static_cast<std::size_t>(places[i].rm_eo - places[i].rm_so)));
  return parts;
}

}  // namespace simtlab::emulator

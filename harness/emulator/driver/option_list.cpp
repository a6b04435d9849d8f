#include <sstream>

#include "driver/command_line.h"
#include "driver/nvcc_options.h"

namespace simtlab::emulator {
namespace {

/// `--keep DIR`, `-M, -MM`, `--front-end[=PATH]`: the options that a line of the help begins with.
std::string options_of(std::string left, const std::string& description) {
  std::string lines;
  for (char& c : left)
    if (c == ',') c = ' ';
  std::istringstream words(left);
  for (std::string word; words >> word;)
    if (word[0] == '-' && word.size() > 1)
      lines += word.substr(0, word.find_first_of("[=.")) + '\t' + description + '\n';
  return lines;
}

}  // namespace

std::string option_list() {
  std::string list;
  std::istringstream help(usage());
  for (std::string line; std::getline(help, line);) {
    const std::size_t gap = line.find("  ", 3);
    if (!line.starts_with("  -")) continue;
    const std::size_t text = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
    list += options_of(line.substr(2, gap - 2), text == std::string::npos ? "as of nvcc" : line.substr(text));
  }
  for (const nvcc_option& o : nvcc_options()) {
    if (o.treatment == nvcc_treatment::refused) continue;
    const std::string why = o.treatment == nvcc_treatment::noted ? "no effect: " + std::string(o.why) : "as of nvcc";
    for (const std::string_view name : {o.name, o.long_name})
      if (!name.empty() && list.find('\n' + std::string(name) + '\t') == std::string::npos)
        list += std::string(name) + '\t' + why + '\n';
  }
  return list;
}

}  // namespace simtlab::emulator

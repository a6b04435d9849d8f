#include "claims/marked_line.h"

#include <fstream>
#include <stdexcept>
#include <string>

namespace simtlab::emulator::claims {

int marked_line(const char* file, std::string_view marker) {
  std::ifstream source(file);
  if (!source) throw std::runtime_error(std::string("cannot read ") + file);
  const std::string wanted = "//@ " + std::string(marker);
  int found = 0;
  std::string line;
  for (int number = 1; std::getline(source, line); ++number) {
    if (!line.ends_with(wanted)) continue;
    if (found != 0) throw std::runtime_error(wanted + " stands in more than one line of " + file);
    found = number;
  }
  if (found == 0) throw std::runtime_error("no line of " + std::string(file) + " ends in " + wanted);
  return found;
}

}  // namespace simtlab::emulator::claims

#include "driver/installation.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace simtlab::emulator {

installation installation::read(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error("the emulator's " + file.string() +
                             " is missing. Build simtlab (make test does), or set SIMTLAB_EMULATOR_ROOT to its folder");
  installation result;
  std::string line;
  while (std::getline(in, line)) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const std::string word = line.substr(0, blank);
    const std::string value = line.substr(blank + 1);
    if (word == "include")
      result.include = file.parent_path() / value;
    else if (word == "compiler")
      result.compiler = value;
    else if (word == "front-end")
      result.front_ends.push_back({value, {}, {}});
    else if (word == "front-end-name" && !result.front_ends.empty())
      result.front_ends.back().name = value;
    else if (word == "front-end-headers" && !result.front_ends.empty())
      result.front_ends.back().headers = value;
    else if (word == "link")
      result.link.push_back(value);
  }
  if (result.include.empty() || result.compiler.empty())
    throw std::runtime_error(file.string() + " names no include folder or no compiler. Configure simtlab again");
  result.precompiled = std::filesystem::absolute(file).parent_path() / "precompiled";
  result.include = std::filesystem::weakly_canonical(result.include);  // as g++ names the headers of system folders
  return result;
}

installation installation::find() {
  const char* root = std::getenv("SIMTLAB_EMULATOR_ROOT");
  return read(std::filesystem::path(root != nullptr && *root != '\0' ? root : SIMTLAB_EMULATOR_ROOT) / "simtcc.conf");
}

}  // namespace simtlab::emulator

#include "driver/installation.h"

#include <sys/auxv.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace simtlab::emulator {
namespace {

/// A word of the linker's, or a file beside simtcc.conf.
std::string link_word(const std::filesystem::path& folder, const std::string& word) {
  return word.starts_with('-') ? word : (folder / word).string();
}

/// Of this program's own file, behind all links to it; in a sandbox without /proc by the path that it was started by.
std::filesystem::path own_folder() {
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::canonical("/proc/self/exe", unknown);
  if (!unknown) return own.parent_path();
  const auto* const started_by = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  return std::filesystem::weakly_canonical(started_by == nullptr ? "" : started_by, unknown).parent_path();
}

}  // namespace

installation installation::read(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in)
    throw std::runtime_error(
        "the emulator's " + file.string() +
        " is missing. Install simtlab again or build it (make test does), or set SIMTLAB_EMULATOR_ROOT to "
        "the folder that has this file");
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
    else if (word == "wheels")
      result.wheels = value;
    else if (word == "without" && value == "sass")
      result.has_machine = false;
    else if (word == "front-end")
      result.front_ends.push_back({value, {}, {}});
    else if (word == "front-end-name" && !result.front_ends.empty())
      result.front_ends.back().name = value;
    else if (word == "front-end-headers" && !result.front_ends.empty())
      result.front_ends.back().headers = value;
    else if (word == "course")
      result.course = file.parent_path() / value;
    else if (word == "link")
      result.link.push_back(link_word(file.parent_path(), value));
  }
  if (result.include.empty() || result.compiler.empty())
    throw std::runtime_error(file.string() + " names no include folder or no compiler. Configure simtlab again");
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  result.precompiled = folder / "precompiled";
  result.toolkit = folder / "toolkit";
  result.include = std::filesystem::weakly_canonical(result.include);  // as g++ names the headers of system folders
  return result;
}

std::string installation::headers_in_debug_information() const {
  return "-fdebug-prefix-map=" + include.string() + "=/usr/include/simtlab";
}

std::filesystem::file_time_type installation::last_changed() const {
  std::filesystem::file_time_type newest = std::filesystem::last_write_time("/proc/self/exe");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(include))
    newest = std::max(newest, entry.last_write_time());
  return newest;
}

std::string installation::nvcc_version() const {
  for (const cuda_front_end& f : front_ends)
    if (f.name.starts_with("nvcc ")) return f.name.substr(5);
  return "12.0";
}

installation installation::find() {
  constexpr const char* name = "simtcc.conf";
  if (const char* root = std::getenv("SIMTLAB_EMULATOR_ROOT"); root != nullptr && *root != '\0')
    return read(std::filesystem::path(root) / name);
  const std::filesystem::path prefix = own_folder().parent_path();
  const std::filesystem::path of_build = prefix / "emulator" / name;
  std::error_code unknown;
  return read(std::filesystem::exists(of_build, unknown) ? of_build : prefix / "lib/simtlab" / name);
}

}  // namespace simtlab::emulator

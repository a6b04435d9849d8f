#include "judge/stage/scratch_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

namespace simtlab {

scratch_folder::scratch_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "simtlab-case-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::filesystem::filesystem_error("no scratch folder", name, std::error_code(errno, std::generic_category()));
  // A sandbox without namespaces runs as another user, who has to pass.
  if (chmod(name.c_str(), 0711) != 0)
    throw std::filesystem::filesystem_error("no scratch folder", name, std::error_code(errno, std::generic_category()));
  path_ = name;
}

scratch_folder::~scratch_folder() {
  std::error_code ignored;  // a submission may have made its files unremovable; the next reboot clears them
  std::filesystem::remove_all(path_, ignored);
}

std::string scratch_folder::beginning_of(const std::string& file, std::size_t most) const {
  std::ifstream from(path_ / file, std::ios::binary | std::ios::ate);
  const std::streamoff size = from.tellg();
  if (size <= 0) return {};
  std::string text(std::min(static_cast<std::size_t>(size), most), '\0');
  from.seekg(0);
  from.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(from.gcount()));
  return text;
}

}  // namespace simtlab

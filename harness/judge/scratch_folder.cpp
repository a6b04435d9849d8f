#include "judge/scratch_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
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

}  // namespace simtlab

#include "driver/temporary_folder.h"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <cerrno>
#include <system_error>

namespace simtlab::emulator {

temporary_folder::temporary_folder(const std::filesystem::path& keep) {
  if (!keep.empty()) {
    std::filesystem::create_directories(keep);
    path_ = keep;
    return;
  }
  std::string name = (std::filesystem::temp_directory_path() / "simtcc-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(),
                            "cannot make a folder for intermediate files (" + name + ")");
  path_ = name;
  remove_ = true;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;  // a file that cannot be removed is no reason to fail
  if (remove_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace simtlab::emulator

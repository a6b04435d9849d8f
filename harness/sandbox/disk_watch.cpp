#include "sandbox/disk_watch.h"

#include <sys/stat.h>

#include <cerrno>

namespace simtlab::sandbox {

namespace fs = std::filesystem;

disk_watch::disk_watch(std::vector<fs::path> folders, std::size_t most_bytes, std::size_t most_files)
    : folders_(std::move(folders)), most_bytes_(most_bytes), most_files_(most_files) {}

bool disk_watch::is_too_much() const {
  std::size_t bytes = 0, files = 0;
  for (const fs::path& folder : folders_) {
    std::error_code failed;
    fs::recursive_directory_iterator at(folder, failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
      struct stat status {};
      if (lstat(at->path().c_str(), &status) != 0) {
        if (errno == ENOENT) continue;  // renamed or removed meanwhile
        return true;
      }
      bytes += static_cast<std::size_t>(status.st_blocks) * 512;
      if (bytes > most_bytes_ || ++files > most_files_) return true;
    }
    if (failed && failed != std::errc::no_such_file_or_directory) return true;
  }
  return false;
}

}  // namespace simtlab::sandbox

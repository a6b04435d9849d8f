#include "report/source_paths.h"

#include <cstdlib>
#include <system_error>

namespace simtlab::emulator {
namespace {

/// Compilers write the folder as the shell calls it, the system without its links.
std::filesystem::path without_links(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path plain = std::filesystem::weakly_canonical(path, failed);
  return failed ? path.lexically_normal() : plain;
}

}  // namespace

source_paths::source_paths(const std::filesystem::path& root, const std::filesystem::path& program)
    : root_(without_links(root)), program_(as_seen_from_root(program)) {}

source_paths source_paths::of_this_process(const std::string& program) {
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::current_path(failed);
  const char* workspace = std::getenv("GITHUB_WORKSPACE");
  const bool in_workflow = workspace != nullptr && *workspace != '\0';
  return {in_workflow ? std::filesystem::path(workspace) : here, here / program};
}

std::string source_paths::path_of(const finding_place& place) const {
  if (!place.path.empty()) return as_seen_from_root(place.path);
  return place.where.file.empty() ? program_ : place.where.file;
}

std::string source_paths::as_seen_from_root(const std::filesystem::path& path) const {
  const std::filesystem::path plain = without_links(path);
  const std::filesystem::path relative = plain.lexically_relative(root_);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  return (inside ? relative : plain).string();
}

}  // namespace simtlab::emulator

#include "sandbox/staging.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/descriptor.h"

namespace simtlab::sandbox {
namespace {

using way = shown_path::way;
constexpr const char* stage_folder = "/tmp";  // on every machine; covered in our own namespace of mounts only

// An open path; -1 when it may be missing and is.
descriptor open_path(const shown_path& shown) {
  descriptor fd(open(shown.path.c_str(), O_PATH | O_CLOEXEC));
  if (fd.get() < 0 && !(shown.how == way::read_if_there && errno == ENOENT))
    throw system_failure(shown.path.string() + " cannot be shown to the sandbox");
  return fd;
}

bool is_folder(const descriptor& fd) {
  struct stat status {};
  return fstat(fd.get(), &status) == 0 && S_ISDIR(status.st_mode);
}

void make_place(const std::string& place, bool folder) {
  const bool made = folder ? mkdir(place.c_str(), 0755) == 0
                           : descriptor(open(place.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644)).get() >= 0;
  if (!made) throw system_failure("no place " + place + " to show a path at");
}

}  // namespace

void give_away_folders(const std::vector<shown_path>& shown) {
  for (const shown_path& one : shown) {
    if (one.how != way::write) continue;
    const descriptor folder(open(one.path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder.get() < 0 || fchown(folder.get(), unprivileged_user, unprivileged_group) != 0)
      throw system_failure(one.path.string() + " cannot be given to the sandbox's user");
  }
}

std::vector<std::string> stage(const std::vector<shown_path>& shown, bool is_root) {
  if (is_root) {
    if (unshare(CLONE_NEWNS) != 0) throw system_failure("no namespace of mounts for the sandbox");
    if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
      throw system_failure("mounts cannot be made private");
  }
  std::vector<descriptor> opened;
  opened.reserve(shown.size());
  for (const shown_path& one : shown) opened.push_back(open_path(one));

  std::vector<std::string> sources;
  if (is_root && mount("tmpfs", stage_folder, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755") != 0)
    throw system_failure("no place to show paths at");
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (opened[i].get() < 0) {
      sources.emplace_back();
    } else if (!is_root) {
      sources.push_back(shown[i].path.string());
    } else {
      sources.push_back(std::string(stage_folder) + "/" + std::to_string(i));
      make_place(sources.back(), is_folder(opened[i]));
      const std::string from = "/proc/self/fd/" + std::to_string(opened[i].get());
      if (mount(from.c_str(), sources.back().c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
        throw system_failure(shown[i].path.string() + " cannot be shown to the sandbox");
    }
  }
  return sources;
}

void drop_privileges() {
  if (setgroups(0, nullptr) != 0 || setresgid(unprivileged_group, unprivileged_group, unprivileged_group) != 0 ||
      setresuid(unprivileged_user, unprivileged_user, unprivileged_user) != 0)
    throw system_failure("the sandbox's user cannot be taken on");
}

void check_readable(const std::vector<shown_path>& shown, const std::vector<std::string>& sources) {
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (!sources[i].empty() && access(sources[i].c_str(), R_OK) != 0)
      throw launch_error(shown[i].path.string() +
                         " cannot be read by the sandbox's user; give others the right to read it");
}

}  // namespace simtlab::sandbox

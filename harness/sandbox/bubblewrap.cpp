#include "sandbox/bubblewrap.h"

#include <cstdlib>
#include <filesystem>

namespace simtlab::sandbox {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t shared_bytes = std::size_t{16} << 20;

void append(std::vector<std::string>& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
}

// /bin, /lib and their like: links into /usr on a merged system, folders on another.
void show_system(std::vector<std::string>& words) {
  append(words, {"--ro-bind", "/usr", "/usr"});
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code failed;
    if (fs::is_symlink(name, failed))
      append(words, {"--symlink", fs::read_symlink(name, failed).string(), name});
    else if (fs::is_directory(name, failed))
      append(words, {"--ro-bind", name, name});
  }
  for (const char* name : {"/etc/alternatives", "/etc/ld.so.cache"}) append(words, {"--ro-bind-try", name, name});
}

const char* bind_word(shown_path::way how) {
  switch (how) {
    case shown_path::way::write:
      return "--bind";
    case shown_path::way::device:
      return "--dev-bind";
    default:
      return "--ro-bind";
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> environment_of(const launch_options& o) {
  std::vector<std::pair<std::string, std::string>> variables{{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                                                             {"HOME", "/tmp"},
                                                             {"TMPDIR", "/tmp"},
                                                             {"LANG", "C.UTF-8"},
                                                             {"LC_ALL", "C.UTF-8"}};
  for (const std::string& name : o.variables)
    if (const char* value = std::getenv(name.c_str())) variables.emplace_back(name, value);
  return variables;
}

std::vector<std::string> bubblewrap_options(const launch_options& o, const std::vector<std::string>& sources,
                                            int status, int filter) {
  std::vector<std::string> words{"--unshare-all", "--unshare-user", "--disable-userns", "--uid",   "1000",
                                 "--gid",         "1000",           "--hostname",       "sandbox", "--die-with-parent",
                                 "--new-session", "--clearenv"};
  for (const auto& [name, value] : environment_of(o)) append(words, {"--setenv", name, value});
  show_system(words);
  // The tmpfs of /, /dev, /dev/shm and /tmp would each be half of the machine's memory, and writable.
  append(words, {"--proc", "/proc", "--dev", "/dev"});
  if (!o.shared_memory) append(words, {"--dev-bind", "/dev/null", "/dev/zero"});  // mapped, it is shared memory
  append(words, {"--size", std::to_string(shared_bytes), "--tmpfs", "/dev/shm"});
  append(words, {"--size", std::to_string(o.temporary_mb << 20), "--tmpfs", "/tmp"});
  for (std::size_t i = 0; i < o.shown.size(); ++i)
    if (!sources[i].empty()) append(words, {bind_word(o.shown[i].how), sources[i], o.shown[i].path.string()});
  append(words, {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", o.folder.string()});
  append(words, {"--json-status-fd", std::to_string(status), "--seccomp", std::to_string(filter)});
  return words;
}

std::vector<std::string> limited_command(const launch_options& o, std::size_t processes) {
  std::vector<std::string> words{"prlimit", "--nproc=" + std::to_string(processes), "--"};
  words.insert(words.end(), o.command.begin(), o.command.end());
  return words;
}

}  // namespace simtlab::sandbox

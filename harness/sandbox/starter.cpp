#include "sandbox/starter.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "sandbox/bubblewrap.h"
#include "sandbox/descriptor.h"
#include "sandbox/launch.h"
#include "sandbox/refused_system_calls.h"
#include "sandbox/staging.h"

namespace simtlab::sandbox {
namespace {

constexpr rlim_t open_files = 256;

void limit(__rlimit_resource_t what, rlim_t value) {
  rlimit now{};
  getrlimit(what, &now);
  const rlim_t most = std::min(value, now.rlim_max);
  const rlimit both{most, most};
  if (setrlimit(what, &both) != 0) throw system_failure("a limit cannot be set");
}

// Processes and threads that the user has on this machine: outside of a user namespace the limit counts them all.
rlim_t threads_of(uid_t user) {
  rlim_t found = 0;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
    struct stat status {};
    const bool is_his = stat(entry.path().c_str(), &status) == 0 && status.st_uid == user;
    if (!is_his || entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
    for (const auto& thread : std::filesystem::directory_iterator(entry.path() / "task", failed))
      found += thread.path().empty() ? 0 : 1;
  }
  return found;
}

// Everything else is closed by exec.
void keep_open(const std::vector<int>& kept) {
  if (syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC, unknown to older headers */) != 0)
    for (int fd = 3; fd < static_cast<int>(open_files); ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
  for (const int fd : kept) fcntl(fd, F_SETFD, 0);
}

[[noreturn]] void execute(std::vector<std::string> words, std::vector<std::string> environment) {
  std::vector<char*> arguments, variables;
  for (std::string& word : words) arguments.push_back(word.data());
  for (std::string& variable : environment) variables.push_back(variable.data());
  arguments.push_back(nullptr);
  variables.push_back(nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  execvpe(words[0].c_str(), arguments.data(), variables.data());
  if (errno == ENOENT && words[0] == "bwrap") throw launch_error("bwrap not found: install the package bubblewrap");
  throw system_failure(words[0] + " cannot be executed");
}

}  // namespace

starter::starter(const launch_options& o, const control_group& group, bool is_root, std::size_t process_limit,
                 int status, pid_t launcher)
    : options_(o),
      group_(group),
      is_root_(is_root),
      process_limit_(process_limit),
      status_(status),
      launcher_(launcher) {}

void starter::become_command() const {
  die_with_launcher();
  join_group();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, open_files);
  limit(RLIMIT_MSGQUEUE, 0);
  if (is_root_) give_away_folders(options_.shown);
  if (options_.namespaces) become_bubblewrap();
  become_plain_command();
}

void starter::die_with_launcher() const {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher_) _exit(not_started);
}

void starter::join_group() const {
  for (const std::string& door : group_.doors()) {
    const descriptor file(open(door.c_str(), O_WRONLY | O_CLOEXEC));
    if (write(file.get(), "0", 1) != 1) throw system_failure("the control group " + door + " cannot be joined");
  }
}

void starter::drop() const {
  if (!is_root_) return;
  drop_privileges();
  die_with_launcher();  // a change of user clears it
}

void starter::become_bubblewrap() const {
  const std::vector<std::string> sources = stage(options_.shown, is_root_);
  const descriptor filter = make_filter_file(options_.shared_memory);
  if (chdir("/") != 0) throw system_failure("/ cannot be entered");
  drop();
  check_readable(options_.shown, sources);
  const descriptor arguments(memfd_create("arguments", MFD_CLOEXEC));
  std::string text;
  for (const std::string& word : bubblewrap_options(options_, sources, status_, filter.get()))
    text.append(word).push_back('\0');
  if (write(arguments.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw system_failure("no file in memory for bubblewrap's options");
  lseek(arguments.get(), 0, SEEK_SET);
  keep_open({status_, filter.get(), arguments.get()});
  std::vector<std::string> words{"bwrap", "--args", std::to_string(arguments.get()), "--"};
  const std::vector<std::string> command = limited_command(options_, process_limit_);
  words.insert(words.end(), command.begin(), command.end());
  execute(words, {});
}

void starter::become_plain_command() const {
  const std::vector<std::string> sources = stage(options_.shown, false);
  if (chdir(options_.folder.c_str()) != 0) throw system_failure(options_.folder.string() + " cannot be entered");
  limit(RLIMIT_NPROC, threads_of(is_root_ ? unprivileged_user : getuid()) + process_limit_);
  drop();
  check_readable(options_.shown, sources);
  std::vector<std::string> environment;
  for (const auto& [name, value] : environment_of(options_)) environment.emplace_back(name).append("=").append(value);
  keep_open({});
  load_filter(options_.shared_memory);
  execute(options_.command, environment);
}

}  // namespace simtlab::sandbox

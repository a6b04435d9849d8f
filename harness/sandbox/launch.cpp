#include "sandbox/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "sandbox/bubblewrap.h"
#include "sandbox/control_group.h"
#include "sandbox/descriptor.h"
#include "sandbox/disk_watch.h"
#include "sandbox/layers.h"
#include "sandbox/staging.h"
#include "sandbox/system_call_filter.h"

namespace simtlab::sandbox {
namespace {

constexpr std::size_t own_processes = 2;  // bwrap, and process 1
constexpr rlim_t open_files = 256;
constexpr std::size_t most_files_written = 256;
constexpr int look_every_milliseconds = 50;

struct pipe_ends {
  pipe_ends() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw system_failure("no pipe");
    read = descriptor(ends[0]);
    write = descriptor(ends[1]);
  }
  descriptor read, write;
};

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

// The starter: everything between fork and exec. The launcher has one thread, so that all of the library is safe here.
class starter {
 public:
  starter(const launch_options& o, const control_group& group, bool is_root, std::size_t process_limit, int status,
          pid_t launcher)
      : options_(o),
        group_(group),
        is_root_(is_root),
        process_limit_(process_limit),
        status_(status),
        launcher_(launcher) {}

  [[noreturn]] void become_command() {
    die_with_launcher();
    join_group();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, open_files);
    limit(RLIMIT_MSGQUEUE, 0);
    if (is_root_) give_away_folders(options_.shown);
    if (options_.namespaces) become_bubblewrap();
    become_plain_command();
  }

 private:
  void die_with_launcher() const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher_) _exit(not_started);
  }

  void join_group() const {
    for (const std::string& door : group_.doors()) {
      const descriptor file(open(door.c_str(), O_WRONLY | O_CLOEXEC));
      if (write(file.get(), "0", 1) != 1) throw system_failure("the control group " + door + " cannot be joined");
    }
  }

  void drop() const {
    if (!is_root_) return;
    drop_privileges();
    die_with_launcher();  // a change of user clears it
  }

  [[noreturn]] void become_bubblewrap() const {
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

  [[noreturn]] void become_plain_command() const {
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

  // Everything else is closed by exec.
  static void keep_open(const std::vector<int>& kept) {
    if (syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC, unknown to older headers */) != 0)
      for (int fd = 3; fd < static_cast<int>(open_files); ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
    for (const int fd : kept) fcntl(fd, F_SETFD, 0);
  }

  [[noreturn]] static void execute(std::vector<std::string> words, std::vector<std::string> environment) {
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

  const launch_options& options_;
  const control_group& group_;
  const bool is_root_;
  const std::size_t process_limit_;
  const int status_;
  const pid_t launcher_;
};

std::string take(int fd) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got; (got = read(fd, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

// The children that this process has, adopted ones included.
std::vector<pid_t> children() {
  std::ifstream from("/proc/thread-self/children");
  std::vector<pid_t> found;
  for (pid_t child; from >> child;) found.push_back(child);
  return found;
}

// The launcher's side of one launch.
class supervisor {
 public:
  explicit supervisor(const launch_options& o)
      : options_(o),
        is_root_(geteuid() == 0),
        group_(find_candidates(), o.memory_mb << 20, o.processes + (o.namespaces ? own_processes : 0)),
        watch_(written_folders(o), bytes_to_write(), most_files_written) {}

  launch_status run() {
    status_.processes = options_.processes;
    status_.memory_mb = group_.limits_memory() ? options_.memory_mb : 0;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    watch_signals();
    start();
    while (!starter_ended_) wait_for_something();
    clear_away();
    judge();
    return status_;
  }

 private:
  static std::vector<std::filesystem::path> written_folders(const launch_options& o) {
    std::vector<std::filesystem::path> folders;
    for (const shown_path& one : o.shown)
      if (one.how == shown_path::way::write) folders.push_back(one.path);
    return folders;
  }

  // Every file is written under one name and renamed at most once, so that twice the largest is enough for a right program.
  static std::size_t bytes_to_write() {
    rlimit now{};
    getrlimit(RLIMIT_FSIZE, &now);
    return now.rlim_cur == RLIM_INFINITY ? std::size_t{1} << 40 : 2 * now.rlim_cur;
  }

  void watch_signals() {
    sigset_t watched;
    sigemptyset(&watched);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&watched, signal);
    sigprocmask(SIG_BLOCK, &watched, nullptr);
    signals_ = descriptor(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
    if (signals_.get() < 0) throw system_failure("no signalfd");
  }

  void start() {
    // With a group, its limit is met first and counts what it refused.
    const std::size_t process_limit =
        options_.processes + (group_.limits_processes() ? own_processes + 8 : own_processes);
    const pid_t launcher = getpid();
    starter_ = fork();
    if (starter_ < 0) throw system_failure("no new process");
    if (starter_ == 0) {
      try {
        starter(options_, group_, is_root_, process_limit, from_bubblewrap_.write.get(), launcher).become_command();
      } catch (const std::exception& e) {
        static_cast<void>(!write(failure_.write.get(), e.what(), std::strlen(e.what())));
      }
      _exit(not_started);
    }
    from_bubblewrap_.write.reset();
    failure_.write.reset();
    fcntl(from_bubblewrap_.read.get(), F_SETFL, O_NONBLOCK);
  }

  void wait_for_something() {
    std::array<pollfd, 2> events{
        {{signals_.get(), POLLIN, 0}, {told_all_ ? -1 : from_bubblewrap_.read.get(), POLLIN, 0}}};
    poll(events.data(), events.size(), watch_.needed() ? look_every_milliseconds : -1);
    if (events[1].revents != 0) {
      told_ += take(from_bubblewrap_.read.get());
      told_all_ = (events[1].revents & POLLIN) == 0;
    }
    signalfd_siginfo signal{};
    while (read(signals_.get(), &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal))
      if (signal.ssi_signo != SIGCHLD) stop_by(static_cast<int>(signal.ssi_signo));
    collect(WNOHANG);
    if (!starter_ended_ && status_.signal == 0 && watch_.needed() && watch_.is_too_much()) {
      status_.disk_full = true;
      kill(starter_, SIGKILL);
    }
  }

  void stop_by(int signal) {
    status_.stopped = true;
    status_.signal = signal;
    kill(starter_, SIGKILL);
  }

  void collect(int how) {
    int status = 0;
    for (pid_t ended; (ended = waitpid(-1, &status, how)) > 0 || (ended < 0 && errno == EINTR);)
      if (ended == starter_) {
        starter_ended_ = true;
        starter_status_ = status;
      }
  }

  // Until no child is left. With a process id namespace the first round is enough.
  void clear_away() {
    for (;;) {
      for (const pid_t child : children()) kill(child, SIGKILL);
      group_.kill_all();
      collect(WNOHANG);
      if (waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD) break;
      poll(nullptr, 0, 1);
    }
    told_ += take(from_bubblewrap_.read.get());
  }

  void judge() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    status_.processor_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    status_.peak_bytes = group_.peak_bytes().value_or(static_cast<std::size_t>(used.ru_maxrss) * 1024);
    status_.memory_kills = group_.memory_kills();
    status_.refused_processes = group_.refused_processes();
    status_.why = take(failure_.read.get());
    status_.layers = layers();
    if (!status_.why.empty()) return;
    if (WIFSIGNALED(starter_status_)) {  // bwrap itself, or without namespaces the command
      status_.started = true;
      if (status_.signal == 0) status_.signal = WTERMSIG(starter_status_);
      return;
    }
    std::optional<int> code;
    if (options_.namespaces)
      code = told_exit_code();
    else
      code = WEXITSTATUS(starter_status_);
    if (!code) {
      status_.why = "bubblewrap could not make the sandbox; its reason stands in the output";
      return;
    }
    status_.started = true;
    if (options_.namespaces && *code > 128 && *code <= 128 + SIGRTMAX)
      status_.signal = *code - 128;
    else
      status_.exit_code = *code;
  }

  // bubblewrap tells JSON documents, one a line.
  [[nodiscard]] std::optional<int> told_exit_code() const {
    std::stringstream lines(told_);
    for (std::string line; std::getline(lines, line);) {
      const nlohmann::json told = nlohmann::json::parse(line, nullptr, false);
      if (told.is_object() && told.contains("exit-code")) return told["exit-code"].get<int>();
    }
    return std::nullopt;
  }

 public:
  [[nodiscard]] std::vector<std::string> layers() const {
    std::vector<std::string> names;
    if (options_.namespaces)
      names = {layer::user_namespace, layer::mount_namespace, layer::pid_namespace, layer::network_namespace};
    names.insert(names.end(), {layer::seccomp, layer::rlimits, layer::unprivileged_user});
    if (group_.limits_memory()) names.emplace_back(layer::cgroup_memory);
    if (group_.limits_processes()) names.emplace_back(layer::cgroup_processes);
    return names;
  }

 private:
  const launch_options& options_;
  const bool is_root_;
  control_group group_;
  disk_watch watch_;
  pipe_ends from_bubblewrap_, failure_;
  descriptor signals_;
  pid_t starter_ = -1;
  int starter_status_ = 0;
  bool starter_ended_ = false, told_all_ = false;
  std::string told_;
  launch_status status_;
};

// The devices that CUDA opens: control, memory and the GPUs themselves; WSL has one of its own.
std::vector<shown_path> gpu_devices() {
  std::vector<shown_path> devices;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", failed)) {
    const std::string name = entry.path().filename();
    const bool is_gpu = name.starts_with("nvidia") && name.find_first_not_of("0123456789", 6) == std::string::npos;
    if (is_gpu || name == "nvidiactl" || name == "nvidia-uvm" || name == "nvidia-caps" || name == "dxg")
      devices.push_back({shown_path::way::device, entry.path()});
  }
  return devices;
}

void check_required(const std::vector<std::string>& required, const std::vector<std::string>& active) {
  for (const std::string& name : required)
    if (std::find(active.begin(), active.end(), name) == active.end())
      throw launch_error("the layer " + name + " of the sandbox was asked for and is not to be had");
}

}  // namespace

launch_status launch(launch_options o) {
  launch_status failed;
  try {
    sweep_groups(find_candidates());
    if (o.gpu)
      for (shown_path& device : gpu_devices()) o.shown.push_back(std::move(device));
    supervisor one(o);
    check_required(o.required, one.layers());
    return one.run();
  } catch (const std::exception& e) {
    failed.why = e.what();
  }
  return failed;
}

}  // namespace simtlab::sandbox

#include "sandbox/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "sandbox/control_group.h"
#include "sandbox/descriptor.h"
#include "sandbox/disk_watch.h"
#include "sandbox/layers.h"
#include "sandbox/starter.h"

namespace simtlab::sandbox {
namespace {

constexpr std::size_t own_processes = 2;  // bwrap, and process 1
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
  supervisor(const launch_options& o, const group_candidates& groups)
      : options_(o),
        is_root_(geteuid() == 0),
        group_(groups, o.memory_mb << 20, o.processes + (o.namespaces ? own_processes : 0)),
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
    const group_candidates groups = find_candidates();
    sweep_groups(groups);
    // /usr is shown whole, and read-only: nothing can be bound below a link in it.
    std::erase_if(o.shown, [](const shown_path& one) {
      return one.how != shown_path::way::write && one.path.string().starts_with("/usr/");
    });
    if (o.gpu)
      for (shown_path& device : gpu_devices()) o.shown.push_back(std::move(device));
    supervisor one(o, groups);
    check_required(o.required, one.layers());
    return one.run();
  } catch (const std::exception& e) {
    failed.why = e.what();
  }
  return failed;
}

}  // namespace simtlab::sandbox

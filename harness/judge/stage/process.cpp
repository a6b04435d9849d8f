#include "judge/stage/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

namespace simtlab {
namespace {

using clock = std::chrono::steady_clock;

class pipe_pair {
 public:
  pipe_pair() {
    if (pipe2(ends_, O_CLOEXEC) != 0) throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
  }
  ~pipe_pair() {
    close_read();
    close_write();
  }
  pipe_pair(const pipe_pair&) = delete;  // it owns two descriptors
  pipe_pair& operator=(const pipe_pair&) = delete;
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_read() { shut(ends_[0]); }
  void close_write() { shut(ends_[1]); }

 private:
  static void shut(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
  }
  int ends_[2] = {-1, -1};
};

void limit(int what, std::size_t soft, std::size_t hard) {
  const rlimit both{soft, hard};
  setrlimit(static_cast<__rlimit_resource_t>(what), &both);
}

void limit(int what, std::size_t bytes) { limit(what, bytes, bytes); }

// Whatever this process has open ends with the exec: files opened by a library or by whoever started us, too.
void keep_descriptors() {
  constexpr unsigned close_on_exec = 1U << 2;  // CLOSE_RANGE_CLOEXEC, unknown to older headers
  if (syscall(SYS_close_range, STDERR_FILENO + 1U, ~0U, close_on_exec) == 0) return;
  for (int fd = STDERR_FILENO + 1; fd < 1024; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

// Between fork and exec: only calls that are safe there. A failure is told through `failure`, as errno.
[[noreturn]] void become(char* const* words, const char* folder, const process_limits& limits, int output, int failure,
                         pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool ready = getppid() == parent && nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(output, 1) >= 0 &&
                     dup2(output, 2) >= 0 && chdir(folder) == 0;
  if (ready) {
    limit(RLIMIT_CORE, 0);
    if (limits.memory_bytes > 0) limit(RLIMIT_DATA, limits.memory_bytes);
    if (limits.file_bytes > 0) limit(RLIMIT_FSIZE, limits.file_bytes);
    // SIGXCPU first, which says why and lets the program tell where it stood; soon SIGKILL, for one that ignores it.
    constexpr std::size_t seconds_to_speak = 3;
    if (const auto seconds = static_cast<std::size_t>(limits.processor.count()); seconds > 0)
      limit(RLIMIT_CPU, seconds, seconds + seconds_to_speak);
    signal(SIGPIPE, SIG_DFL);
    keep_descriptors();
    execvp(words[0], words);
  }
  const int reason = errno;
  static_cast<void>(!write(failure, &reason, sizeof reason));
  _exit(127);
}

// Reads what is there; false at the end of the pipe.
bool drain(int fd, std::string& printed, std::size_t limit, bool& too_much) {
  char buffer[4096];
  const ssize_t got = ::read(fd, buffer, sizeof buffer);
  if (got == 0) return false;
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  const std::size_t room = limit - std::min(limit, printed.size());
  printed.append(buffer, std::min(room, static_cast<std::size_t>(got)));
  too_much = too_much || static_cast<std::size_t>(got) > room;
  return true;
}

// A child that has been started and not yet waited for; the destructor leaves nothing of it alive.
class child_process {
 public:
  explicit child_process(pid_t pid) : pid_(pid), exit_event_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}
  ~child_process() {
    if (!waited_) {
      kill_group();
      wait();
    }
    if (exit_event_ >= 0) close(exit_event_);
  }
  child_process(const child_process&) = delete;  // it owns the process
  child_process& operator=(const child_process&) = delete;

  void kill_group() const {
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);  // should it not have reached setpgid yet
  }
  /// Asks it to end, and waits at most so long; what it prints meanwhile is nobody's.
  void ask_to_end(std::chrono::milliseconds grace) const {
    kill(pid_, SIGTERM);
    for (const auto end = clock::now() + grace; !has_ended() && clock::now() < end;) usleep(2000);
  }
  [[nodiscard]] int exit_event() const { return exit_event_; }  ///< readable when it has ended; -1 on an old kernel
  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
  }
  void wait() {
    while (wait4(pid_, &status_, 0, &usage_) < 0 && errno == EINTR) {
    }
    waited_ = true;
  }
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] std::chrono::microseconds processor_time() const {
    const timeval &user = usage_.ru_utime, &system = usage_.ru_stime;
    return std::chrono::seconds(user.tv_sec + system.tv_sec) + std::chrono::microseconds(user.tv_usec + system.tv_usec);
  }
  [[nodiscard]] std::size_t peak_bytes() const { return static_cast<std::size_t>(usage_.ru_maxrss) * 1024; }

 private:
  pid_t pid_;
  int exit_event_;
  int status_ = 0;
  rusage usage_{};
  bool waited_ = false;
};

}  // namespace

process_outcome run_process(const std::vector<std::string>& words, const std::filesystem::path& folder,
                            const process_limits& limits, const std::function<bool()>& started) {
  pipe_pair output, failure;
  std::vector<char*> raw;
  raw.reserve(words.size() + 1);
  for (const std::string& word : words) raw.push_back(const_cast<char*>(word.c_str()));
  raw.push_back(nullptr);

  process_outcome outcome;
  const auto begin = clock::now();
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    outcome.how = process_outcome::way::not_executed;
    outcome.text = std::string("no new process: ") + std::strerror(errno);
    return outcome;
  }
  if (pid == 0) become(raw.data(), folder.c_str(), limits, output.write_end(), failure.write_end(), parent);
  setpgid(pid, pid);
  child_process child(pid);
  output.close_write();
  failure.close_write();

  int reason = 0;
  if (::read(failure.read_end(), &reason, sizeof reason) == static_cast<ssize_t>(sizeof reason)) {
    outcome.how = process_outcome::way::not_executed;
    outcome.text = words[0] + " cannot be executed: " + std::strerror(reason);
    return outcome;
  }

  fcntl(output.read_end(), F_SETFL, O_NONBLOCK);
  bool waits_for_start = limits.until_started.count() > 0, too_much = false, open = true;
  auto deadline = clock::now() + (waits_for_start ? limits.until_started : limits.wall);
  while (!child.has_ended()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock::now()).count() + 1;
    if (left <= 0 || too_much) break;
    const bool must_look = waits_for_start || child.exit_event() < 0;
    pollfd events[2] = {{child.exit_event(), POLLIN, 0}, {open ? output.read_end() : -1, POLLIN, 0}};
    poll(events, 2, static_cast<int>(must_look ? std::min<long>(left, 5) : std::min<long>(left, 1000)));
    if (events[1].revents != 0) open = drain(output.read_end(), outcome.printed, limits.printed_bytes, too_much);
    if (waits_for_start && started()) {
      waits_for_start = false;
      deadline = clock::now() + limits.wall;
    }
  }
  const bool ended = child.has_ended();
  if (!ended && limits.grace.count() > 0) child.ask_to_end(limits.grace);
  child.kill_group();  // also what an ended child left behind
  child.wait();
  outcome.wall = clock::now() - begin;
  for (int i = 0; open && !too_much && i < 1024; ++i) {  // what is still in the pipe
    const std::size_t before = outcome.printed.size();
    open = drain(output.read_end(), outcome.printed, limits.printed_bytes, too_much);
    if (outcome.printed.size() == before) break;
  }

  outcome.peak_bytes = child.peak_bytes();
  using way = process_outcome::way;
  if (too_much) {
    outcome.how = way::printed_too_much;
  } else if (!ended) {
    outcome.how = waits_for_start ? way::never_started : way::timed_out;
  } else if (WIFSIGNALED(child.status())) {
    outcome.signal = WTERMSIG(child.status());
    const bool out_of_time = is_out_of_processor_time(outcome.signal, child.processor_time(), limits);
    outcome.how = out_of_time ? way::out_of_processor_time : way::signalled;
  } else {
    outcome.exit_code = WEXITSTATUS(child.status());
  }
  return outcome;
}

bool is_out_of_processor_time(int signal, std::chrono::duration<double> used, const process_limits& limits) {
  // SIGXCPU is the limit's own signal. After SIGKILL, which a program that ignores it gets, the usage has to tell; the
  // limit counts in ticks, so the usage may still be a little below.
  if (limits.processor.count() <= 0) return false;
  return signal == SIGXCPU || (signal == SIGKILL && used >= 0.9 * limits.processor);
}

std::string signal_in_words(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "a segmentation fault: host code used an invalid memory address";
    case SIGBUS:
      return "a bus error: host code used an invalid memory address";
    case SIGABRT:
      return "an abort: a failed assertion, a double free or an exception nobody caught";
    case SIGFPE:
      return "an arithmetic error: most often an integer division by zero";
    case SIGILL:
      return "an illegal instruction: most often a function that ends without return";
    case SIGKILL:
      return "SIGKILL: something outside ended it, most often for lack of memory";
    case SIGTERM:
      return "SIGTERM: something asked it to end";
    case SIGTRAP:
      return "a trap";
    case SIGXCPU:
      return "the limit of processor time";
    default:
      return std::string("signal ") + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
}

}  // namespace simtlab

#include "driver/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace simtlab::emulator {
namespace {

[[noreturn]] void fail(int code, const std::string& what) {
  throw std::system_error(code, std::generic_category(), what);
}

/// The environment with messages in English: simtcc reads them.
std::vector<std::string> plain_environment() {
  std::vector<std::string> result;
  for (char** e = environ; *e != nullptr; ++e)
    if (std::strncmp(*e, "LC_ALL=", 7) != 0 && std::strncmp(*e, "LANGUAGE=", 9) != 0) result.emplace_back(*e);
  result.emplace_back("LC_ALL=C");
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (std::string& w : words) result.push_back(w.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

started_process::started_process(const std::vector<std::string>& words, const std::string& output) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) fail(errno, "pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!output.empty())
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  std::vector<std::string> arguments = words;
  std::vector<std::string> environment = plain_environment();
  const int failed = posix_spawnp(&child_, words[0].c_str(), &actions, nullptr, pointers(arguments).data(),
                                  pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  errors_ = pipe_ends[0];
  if (failed != 0) {
    child_ = 0;
    close(errors_);
    fail(failed, "cannot run " + words[0]);
  }
}

started_process::~started_process() {
  if (child_ == 0) return;
  kill(child_, SIGTERM);
  process_result unread;
  wait(unread);
}

process_result started_process::finish() {
  process_result result;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t n = read(errors_, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    result.errors.append(buffer.data(), static_cast<std::size_t>(n));
  }
  wait(result);
  return result;
}

void started_process::wait(process_result& result) {
  close(errors_);
  int status = 0;
  while (waitpid(child_, &status, 0) < 0)
    if (errno != EINTR) break;
  child_ = 0;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

process_result run_process(const std::vector<std::string>& words, const std::string& output) {
  return started_process(words, output).finish();
}

}  // namespace simtlab::emulator

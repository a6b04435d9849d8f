// The runner: `runner CASE_FOLDER`. Receives the arguments, calls the entry, returns raw outputs and measurements.
// Of a folder with several cases it takes one after the other, and ends after the first that does not return.
// It has no verdict to give, and its exit code is no verdict either.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>

#include "protocol/bounded_json.h"
#include "protocol/result.h"
#include "runner/backend.h"
#include "runner/rounds.h"
#include "spec/runner_lab_spec.h"

simtlab::lab define_lab();

namespace simtlab {
namespace {

// Runs before every static initialiser of the submission (their priority is 65535): the judge can then tell a program that
// ended early from a command prefix that never started it.
[[gnu::constructor(101)]] void leave_start_mark(int count, char** words, char**) {
  if (count != 2) return;
  const std::string path = std::string(words[1]) + "/result/" + started_file;
  if (const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644); fd >= 0) close(fd);
  this_backend().guard_memory();
}

void check_request(const lab& of, const case_request& request) {
  if (of.kind != request.kind || of.arguments.size() != request.arguments.size())
    throw protocol_error(
        "the request is for another entry than this runner was built with: build judge and runner anew");
  for (std::size_t i = 0; i < of.arguments.size(); ++i) {
    const argument_description& own = of.arguments[i];
    const request_argument& asked = request.arguments[i];
    if (own.name != asked.name || own.role != asked.role || own.element_bytes != asked.element_bytes)
      throw protocol_error("argument " + std::to_string(i) + " is " + own.name + " here and " + asked.name +
                           " in the request: build judge and runner anew");
  }
}

case_result our_fault(const std::string& text) {
  case_result result;
  result.how = ending::our_fault;
  result.detail.text = text;
  return result;
}

// A submission that forks calls its entry twice; only the process that the judge started has results to give.
void leave_if_not(pid_t started) {
  if (getpid() != started) _exit(1);
}

// How the case ended, when its result is written.
ending run_case(const std::filesystem::path& folder, const std::filesystem::path& result_folder) {
  const pid_t started = getpid();
  const folder_handle to(result_folder);
  std::optional<case_request> request;
  try {
    this_backend().runner_begins();
    const lab of = define_lab();
    request = read_request(folder);
    check_request(of, *request);
    const environment where = this_backend().describe(*request);
    this_backend().on_fatal([&](measurements found) {
      leave_if_not(started);
      case_result ended;
      ended.how = ending::fatal;
      ended.where = where;
      ended.measured = std::move(found);
      write_result(to, *request, ended);
    });
    case_result result = call_in_rounds(this_backend(), of, *request, folder);
    leave_if_not(started);
    result.where = where;
    write_result(to, *request, result);
    return result.how;
  } catch (const std::exception& e) {
    leave_if_not(started);
    write_result(to, request.value_or(case_request{}), our_fault(e.what()));
    return ending::our_fault;
  }
}

ending run_cases(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(nth_case(folder, 0))) return run_case(folder, folder / "result");
  ending last = ending::returned;
  for (std::size_t n = 0; last == ending::returned && std::filesystem::exists(nth_case(folder, n)); ++n)
    last = run_case(nth_case(folder, n), nth_result(folder, n));
  return last;
}

}  // namespace
}  // namespace simtlab

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: runner CASE_FOLDER\nThe judge of a lab starts this program; `make test` starts the judge.\n",
               stderr);
    return 2;
  }
  try {
    const int status = simtlab::run_cases(words[1]) == simtlab::ending::our_fault ? 1 : 0;
    std::fflush(nullptr);
    _exit(status);  // what the submission left for exit (destructors, atexit) is not part of the call
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}

// The runner: `runner CASE_FOLDER`. Receives the arguments, calls the entry, returns raw outputs and measurements.
// Of a folder with several cases it takes one after the other, and ends after the first that does not return: each in a
// process of its own, forked before any code of the submission runs, where the backend starts quickly.
// It has no verdict to give, and its exit code is no verdict either.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>

#include "protocol/protocol_error.h"
#include "protocol/result.h"
#include "runner/backend.h"
#include "runner/case_files.h"
#include "runner/file_calls.h"
#include "runner/rounds.h"
#include "runner/system_call_filter.h"
#include "spec/runner_lab_spec.h"

simtlab::lab define_lab();

namespace simtlab {
namespace {

// The case of this process, from before any code of the submission; none while there are several.
constinit std::optional<case_files> the_case;
constinit std::optional<std::size_t> its_number;  // where the folder has several, and each a process of its own
constinit std::optional<std::string> refusal;     // why this process could not be closed

// Opens what the case needs, then closes the process to nearly everything (system_call_filter.h).
void open_and_close(const std::filesystem::path& folder, const std::filesystem::path& result) {
  backend& on = this_backend();
  on.runner_begins();
  the_case.emplace(folder, result);
  std::optional<process_outline> outline = on.outline(the_case->request());
  if (!outline || the_case->request().without.contains("system_calls")) return;
  outline->file_calls = file_calls_return_to();
  outline->result_folder = the_case->result_folder();
  outline->result_name = reinterpret_cast<std::uintptr_t>(result_name);
  outline->unfinished_name = reinterpret_cast<std::uintptr_t>(unfinished_result_name);
  close_process(*outline);
}

bool has_case(const std::filesystem::path& folder, std::size_t n) {
  std::error_code unknown;
  return std::filesystem::exists(nth_case(folder, n), unknown);
}

// Returns in a process for each of the cases, with the case's number. The one that waits for them runs none, nor any code of
// the submission; it ends with the last of them, or the first that fails.
std::size_t fork_for_each_case(const std::filesystem::path& folder) {
  for (std::size_t n = 0; has_case(folder, n); ++n) {
    const pid_t one = fork();
    if (one == 0) return n;
    int status = 0;
    if (one < 0 || waitpid(one, &status, 0) != one || status != 0) _exit(1);
  }
  _exit(0);
}

std::filesystem::path own_case(const std::filesystem::path& folder) {
  return its_number ? nth_case(folder, *its_number) : folder;
}

std::filesystem::path own_result(const std::filesystem::path& folder) {
  return its_number ? nth_result(folder, *its_number) : folder / "result";
}

// Runs before every static initialiser of the submission (their priority is 65535). The mark tells the judge a program that
// ended early from a command prefix that never started it.
[[gnu::constructor(101)]] void prepare(int count, char** words, char**) {
  if (count != 2) return;
  const std::filesystem::path folder(words[1]);
  const std::string path = folder / "result" / started_file;
  if (const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644); fd >= 0) close(fd);
  if (has_case(folder, 0)) {
    if (!this_backend().starts_quickly()) return;
    its_number = fork_for_each_case(folder);
  }
  this_backend().guard_memory();
  try {
    open_and_close(own_case(folder), own_result(folder));
  } catch (const protocol_error&) {  // a wrong request or a wrong build: run_case comes upon it, too
  } catch (const std::exception& e) {
    refusal = e.what();
  }
  this_backend().submission_begins();
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
ending run_case(const case_files& files) {
  const pid_t started = getpid();
  try {
    this_backend().runner_begins();
    if (refusal) throw protocol_error(*refusal);
    const lab of = define_lab();
    const case_request& request = files.request();
    check_request(of, request);
    const environment where = this_backend().describe(request);
    this_backend().on_fatal([&](measurements found) {
      leave_if_not(started);
      case_result ended;
      ended.how = ending::fatal;
      ended.where = where;
      ended.measured = std::move(found);
      files.write(ended);
    });
    case_result result = call_in_rounds(this_backend(), of, files);
    leave_if_not(started);
    result.where = where;
    files.write(result);
    return result.how;
  } catch (const std::exception& e) {
    leave_if_not(started);
    files.write(our_fault(e.what()));
    return ending::our_fault;
  }
}

ending run_cases(const std::filesystem::path& folder) {
  if (the_case) return run_case(*the_case);
  if (its_number || !has_case(folder, 0)) return run_case({own_case(folder), own_result(folder)});
  ending last = ending::returned;
  for (std::size_t n = 0; last == ending::returned && has_case(folder, n); ++n)
    last = run_case({nth_case(folder, n), nth_result(folder, n)});
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

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
constinit std::optional<std::string> refusal;  // why this process could not be closed

// Opens what the case needs, then closes the process to nearly everything (system_call_filter.h).
void open_and_close(const std::filesystem::path& folder) {
  backend& on = this_backend();
  on.runner_begins();
  the_case.emplace(folder, folder / "result");
  std::optional<process_outline> outline = on.outline(the_case->request());
  if (!outline || the_case->request().without.contains("system_calls")) return;
  outline->file_calls = file_calls_return_to();
  outline->result_folder = the_case->result_folder();
  outline->result_name = reinterpret_cast<std::uintptr_t>(result_name);
  outline->unfinished_name = reinterpret_cast<std::uintptr_t>(unfinished_result_name);
  close_process(*outline);
}

// Runs before every static initialiser of the submission (their priority is 65535). The mark tells the judge a program that
// ended early from a command prefix that never started it.
[[gnu::constructor(101)]] void prepare(int count, char** words, char**) {
  if (count != 2) return;
  const std::filesystem::path folder(words[1]);
  const std::string path = folder / "result" / started_file;
  if (const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644); fd >= 0) close(fd);
  this_backend().guard_memory();
  std::error_code unknown;
  if (std::filesystem::exists(nth_case(folder, 0), unknown)) return;
  try {
    open_and_close(folder);
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
  if (!std::filesystem::exists(nth_case(folder, 0))) return run_case({folder, folder / "result"});
  ending last = ending::returned;
  for (std::size_t n = 0; last == ending::returned && std::filesystem::exists(nth_case(folder, n)); ++n)
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

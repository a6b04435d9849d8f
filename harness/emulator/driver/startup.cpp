// Linked into every program that simtcc makes: speaks of what the emulator found when nobody else does.
//
// A program that takes its own reports (the runner, a test) has taken everything before it ends, and sets its own
// handler for faults; then nothing is left to say here, and its exit code is its own. docs/reports.md has the rules for all others.
//
// Options come from the environment, or from the flags that simtcc linked in; `simtcc --help` describes them.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>

#include "core/memory_names.h"
#include "core/request_figures.h"
#include "emulator.h"
#include "report/annotated_source.h"
#include "report/finding_layout.h"
#include "report/junit.h"
#include "report/report_json.h"
#include "report/sarif.h"
#include "report/source_paths.h"
#include "report/workflow_commands.h"
#include "scheduler/device_coordinates.h"

// For debuggers alone, whose users type these names: behind the ones that kernels use is no debug information. They are
// those of the main thread, which runs the kernels while a thread is chosen (runtime/debug_stop.h).
[[gnu::used]] static const simtlab::emulator::coordinates& threadIdx = simtlab_thread_index;
[[gnu::used]] static const simtlab::emulator::coordinates& blockIdx = simtlab_block_index;
[[gnu::used]] static const simtlab::emulator::coordinates& blockDim = simtlab_block_dim;
[[gnu::used]] static const simtlab::emulator::coordinates& gridDim = simtlab_grid_dim;

// Made by simtcc where its flags give options to the program (driver/compiler.cpp); null otherwise.
extern "C" [[gnu::weak]] const char simtlab_program_options[];

namespace {

using namespace simtlab::emulator;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

void print_counters(const report& r) {
  for (const launch_report& l : r.launches) {
    std::fprintf(stderr, "%s<<<(%u,%u,%u), (%u,%u,%u)>>>\n", l.kernel.c_str(), l.grid.x, l.grid.y, l.grid.z, l.block.x,
                 l.block.y, l.block.z);
    for (const access_counters& a : l.accesses) {
      if (!is_shown_by_line(a.space)) continue;
      const request_figures f = figures_of(a.space, a.counters);
      const auto sectors = f.sectors_per_request(), wavefronts = f.wavefronts_per_request();
      std::fprintf(stderr, "  %s:%d  %s %s %s: %llu requests, %.1f lanes", a.where.file.c_str(), a.where.line,
                   space_name(a.space), access_name(a.kind), a.variable.c_str(),
                   static_cast<unsigned long long>(f.requests), f.lanes_per_request().value_or(0));
      if (sectors) std::fprintf(stderr, " and %.2f sectors", *sectors);
      if (wavefronts) std::fprintf(stderr, " and %.2f wavefronts", *wavefronts);
      std::fputs(" each\n", stderr);
    }
  }
}

std::filesystem::path current_folder() {
  std::error_code failed;
  return std::filesystem::current_path(failed);
}

/// Of this process, from its start on. Never destroyed: static destructors may end the program.
struct this_run {
  pid_t process = getpid();
  source_paths paths = source_paths::of_this_process(program_invocation_name);
  std::filesystem::path started_in = current_folder();
  std::string report_file;  ///< where the program was started, whatever folder it changes to; empty: none is asked for
  int error_exit_code = 86;
  bool is_told_as_text = true;  ///< also where a report tells it
};
this_run* run = nullptr;

std::string report_text(const report& r, const program_end& end) {
  if (run->report_file.ends_with(".sarif")) return sarif_report(r, end, run->paths);
  if (run->report_file.ends_with(".xml")) return junit_report(r, end, run->paths);
  return report_json(r, end.ended);
}

void write_report(const std::string& text) {
  if (run->report_file == "-") {
    std::fputs(text.c_str(), stdout);
    return;
  }
  const char* const file = run->report_file.c_str();
  std::error_code failed;  // told below, by what cannot be opened
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
  std::FILE* out = std::fopen(file, "w");
  const bool written = out != nullptr && std::fputs(text.c_str(), out) >= 0;
  if ((out == nullptr || std::fclose(out) != 0) || !written)
    std::fprintf(
        stderr,
        "SIMTLAB_REPORT: %s cannot be written. May its folder be made and written to, and is the disk not full?\n",
        file);
}

bool is_in_workflow() {
  const char* value = std::getenv("GITHUB_ACTIONS");
  return value != nullptr && std::strcmp(value, "true") == 0;
}

void print(const report& r, bool ended) {
  std::fflush(stdout);
  if (is_set("SIMTLAB_PROFILE")) print_counters(r);
  if (is_set("SIMTLAB_ANNOTATE")) std::fputs(annotated_source(r, run->started_in).c_str(), stderr);
  const bool report_asked_for = !run->report_file.empty();
  if (report_asked_for && !run->is_told_as_text) return write_report(report_text(r, {program_invocation_name, ended}));
  std::fputs(findings_text(r.findings).c_str(), stderr);
  if (is_in_workflow()) std::fputs(workflow_commands(r.findings, run->paths).c_str(), stderr);
  if (!r.findings.empty() || report_asked_for || is_set("SIMTLAB_SUMMARY")) std::fputs(summary_text(r).c_str(), stderr);
  if (report_asked_for) write_report(report_text(r, {program_invocation_name, ended}));
}

/// This process forked, so that a child may have what there is to tell: an empty report must not replace it.
bool has_child = false;

/// A child of a fork has its parent's findings, which the parent tells.
bool is_told_by_parent() { return getpid() != run->process; }

void print_fatal(const report& r) {
  if (!is_told_by_parent()) print(r, false);
}

bool has_error(const report& r) {
  return std::any_of(r.findings.begin(), r.findings.end(), [](const finding& f) { return f.level == severity::error; });
}

void at_exit(int exit_code, void*) {
  if (is_told_by_parent()) return;
  const bool told_by_program = has_taken_report();
  report r = take_report();
  const bool empty = r.launches.empty() && r.findings.empty() && r.host.api_calls == 0;
  if (empty && (told_by_program || has_child || (run->report_file.empty() && !is_set("SIMTLAB_SUMMARY")))) return;
  report last = take_report(true);
  r.host.leaked_bytes = last.host.leaked_bytes;
  r.findings.insert(r.findings.end(), std::make_move_iterator(last.findings.begin()),
                    std::make_move_iterator(last.findings.end()));
  print(r, true);
  // The C library goes on with the handlers that are left, and ends with the code of the last call.
  if ((exit_code & 0xff) == 0 && !told_by_program && has_error(r) && run->error_exit_code != 0)
    std::exit(run->error_exit_code);
}

[[noreturn]] void refuse(const char* name, const std::string& expected) {
  std::fprintf(stderr, "%s is \"%s\"; expected %s.\n", name, std::getenv(name), expected.c_str());
  std::_Exit(2);
}

/// `on` unless the variable says off.
bool is_on(const char* name) {
  const char* value = std::getenv(name);
  const std::string text = value == nullptr || *value == '\0' ? "on" : value;
  if (text != "on" && text != "off" && text != "1" && text != "0") refuse(name, "on or off");
  return text == "on" || text == "1";
}

const gpu_model* chosen_gpu() {
  const char* key = std::getenv("SIMTLAB_GPU");
  if (key == nullptr || *key == '\0') return gpu_models().data();
  if (const gpu_model* found = find_gpu(key)) return found;
  refuse("SIMTLAB_GPU", "one of " + gpu_keys());
}

/// Whether kernels run as nvcc compiled them, where the program has that.
bool chosen_engine() {
  const char* value = std::getenv("SIMTLAB_ENGINE");
  const std::string text = value == nullptr ? "" : value;
  if (!text.empty() && text != "g++" && text != "sass") refuse("SIMTLAB_ENGINE", "g++ or sass");
  if (text == "sass" && !has_machine_code())
    refuse("SIMTLAB_ENGINE", "g++, as the program was compiled without --engine sass");
  return text != "g++";
}

std::optional<unsigned> chosen_number(const char* name, unsigned least, unsigned most) {
  const char* given = std::getenv(name);
  if (given == nullptr || *given == '\0') return std::nullopt;
  unsigned number = 0;
  const char* const end = given + std::strlen(given);
  const auto [rest, error] = std::from_chars(given, end, number);
  if (error != std::errc() || rest != end || number < least || number > most)
    refuse(name, "a number from " + std::to_string(least) + " to " + std::to_string(most));
  return number;
}

/// `%p` in the name is the process, so that programs of one test run can write side by side.
std::string chosen_report_file() {
  const char* given = std::getenv("SIMTLAB_REPORT");
  std::string file = given == nullptr ? "" : given;
  if (file.empty() || file == "-") return file;
  if (const std::size_t at = file.find("%p"); at != std::string::npos) file.replace(at, 2, std::to_string(getpid()));
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(file, failed);
  return failed ? file : whole.string();
}

/// A program may fork before it calls the CUDA runtime: then what is found is the child's.
void begin_in_child() {
  if (has_used_device()) return;
  run->process = getpid();
  has_child = false;
}

/// What simtcc's flags asked for, `NAME=value` a line. The environment comes first.
void set_defaults() {
  if (&simtlab_program_options == nullptr) return;
  std::istringstream lines(simtlab_program_options);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t at = line.find('='); at != std::string::npos)
      setenv(line.substr(0, at).c_str(), line.substr(at + 1).c_str(), 0);
}

[[gnu::constructor]] void start() {
  set_defaults();
  run = new this_run;
  run->report_file = chosen_report_file();
  run->error_exit_code = static_cast<int>(chosen_number("SIMTLAB_ERROR_EXITCODE", 0, 255).value_or(86));
  run->is_told_as_text = is_on("SIMTLAB_TEXT");
  options o;
  o.workers = chosen_number("SIMTLAB_WORKERS", 1, 1024).value_or(std::max(1U, std::thread::hardware_concurrency()));
  if (const char* turns = std::getenv("SIMTLAB_SCHEDULE"); turns != nullptr && *turns != '\0') {
    const auto chosen = schedule_from(turns);
    if (!chosen) refuse("SIMTLAB_SCHEDULE", "in-order, reverse or random:SEED, SEED a number");
    o.turns = *chosen;
  }
  o.as_compiled = chosen_engine();
  o.checks = is_on("SIMTLAB_CHECKS");
  o.counters = is_on("SIMTLAB_COUNTERS");
  o.gpu = chosen_gpu();
  configure(o);
  on_fatal(print_fatal);
  on_exit(at_exit, nullptr);
  pthread_atfork(
      nullptr, [] { has_child = true; }, begin_in_child);
}

}  // namespace

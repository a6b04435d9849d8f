// simtcc: an nvcc-like driver that compiles CUDA C++ for the emulator. See docs/architecture.md for its contract.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "driver/command_line.h"
#include "driver/compile_commands.h"
#include "driver/compiler.h"
#include "driver/installation.h"
#include "driver/temporary_folder.h"

namespace {

using namespace simtlab::emulator;

bool only_started(const command_line& options) {
  return options.run && options.output.empty() && !options.compile_only && !options.preprocess_only;
}

/// A program that is only started stands in the folder for what is not kept.
std::string program_of(const command_line& options, const temporary_folder& folder) {
  if (!only_started(options)) return options.output.empty() ? "a.out" : options.output;
  const std::string name = std::filesystem::path(options.inputs.front()).stem().string();
  return (folder.path() / (name.empty() ? "program" : name)).string();
}

void build(const command_line& options, const temporary_folder& folder) {
  const installation where = installation::find();
  if (!options.compile_commands.empty()) return add_compile_commands(options, where);
  compiler step(options, where, folder.path());
  if (options.precompile_headers) return step.precompile_headers();
  std::vector<std::string> objects;
  std::string wrong;  // of all files: one that does not compile is no reason to be silent about the next
  int number = 0;
  for (const std::string& input : options.inputs) {
    const std::filesystem::path source(input);
    if (input[0] == '-' || !compiler::is_source(source)) {
      objects.push_back(input);
      continue;
    }
    if (options.preprocess_only) {
      step.preprocess(source, options.output.empty() ? source.stem().string() + ".ii" : options.output);
      continue;
    }
    std::filesystem::path object = folder.path() / (std::to_string(++number) + "-" + source.stem().string() + ".o");
    if (options.compile_only) object = options.output.empty() ? source.stem().string() + ".o" : options.output;
    try {
      objects.push_back(step.compile(source, object).string());
    } catch (const program_error& e) {
      wrong += e.what();
    }
  }
  if (!wrong.empty()) throw program_error(wrong);
  if (!options.compile_only && !options.preprocess_only) step.link(objects, program_of(options, folder));
}

double processor_seconds(int of) {
  rusage used{};
  getrusage(of, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// What the programs before it took, and what this one did: the translation, and the hooks in the assembly.
void tell_times() {
  std::cerr << "# processor time: " << processor_seconds(RUSAGE_SELF) << " s of simtcc, "
            << processor_seconds(RUSAGE_CHILDREN) << " s of what it started\n";
}

/// Becomes the program. Returns where that fails.
void become(const std::string& program, const command_line& options) {
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : options.run_arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
}

/// Starts the program beside us, and returns how it ended, as waitpid says it: what it stands in is removed afterwards.
int run_to_its_end(const std::string& program, const command_line& options) {
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the program
  std::signal(SIGQUIT, SIG_IGN);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGQUIT, SIG_DFL);
    become(program, options);
    std::cerr << "simtcc: cannot start " << program << ".\n";
    _exit(3);
  }
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot start " + program);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "cannot wait for " + program);
  return status;
}

/// Builds, and starts the program where that is asked for. Returns the exit code.
int build_and_start(const command_line& options) {
  int status = 0;
  {
    const temporary_folder folder(options.keep);
    build(options, folder);
    if (options.verbose) tell_times();
    if (!options.run || !options.compile_commands.empty() || options.compile_only || options.preprocess_only) return 0;
    if (only_started(options)) status = run_to_its_end(program_of(options, folder), options);
  }
  if (!only_started(options)) {
    const std::string program = std::filesystem::absolute(options.output).string();
    become(program, options);
    throw std::system_error(errno, std::generic_category(), "cannot start " + program);
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  std::signal(WTERMSIG(status), SIG_DFL);  // whoever started us sees the signal that ended the program
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const command_line options = parse_command_line(std::vector<std::string>(argv + 1, argv + argc));
    if (options.help)
      std::cout << usage();
    else if (options.version)
      std::cout << "simtcc (simtlab) " << SIMTLAB_VERSION << '\n';
    else
      return build_and_start(options);
    return 0;
  } catch (const usage_error& e) {
    std::cerr << "simtcc: " << e.what() << ".\n";
    return 2;
  } catch (const program_error& e) {
    std::cerr << e.what();
    return 1;
  } catch (const std::exception& e) {
    std::cerr << "simtcc: internal error, not the program's fault: " << e.what() << ".\n";
    return 3;
  }
}

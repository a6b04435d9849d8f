// simtcc: an nvcc-like driver that compiles CUDA C++ for the emulator. See docs/architecture.md for its contract.
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
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

void build(const command_line& options) {
  const installation where = installation::find();
  if (!options.compile_commands.empty()) return add_compile_commands(options, where);
  const temporary_folder folder(options.keep);
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
  if (!options.compile_only && !options.preprocess_only)
    step.link(objects, options.output.empty() ? "a.out" : options.output);
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
void start(const command_line& options) {
  const std::string program = options.output.empty() ? "./a.out" : std::filesystem::absolute(options.output).string();
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : options.run_arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  throw std::system_error(errno, std::generic_category(), "cannot start " + program);
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
      build(options);
    if (options.verbose) tell_times();
    if (options.run && options.compile_commands.empty() && !options.compile_only && !options.preprocess_only)
      start(options);
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

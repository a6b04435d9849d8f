#include "driver/simtcc_program.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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
#include "driver/gpu_toolchain.h"
#include "driver/installation.h"
#include "driver/machine_fault.h"
#include "driver/support_check.h"
#include "driver/temporary_folder.h"
#include "driver/toolkit.h"

namespace simtlab::emulator {
namespace {

/// Where an output without a name goes.
std::string output_of(const command_line& options, const std::string& name) {
  return options.output.empty() ? (std::filesystem::path(options.output_folder) / name).string() : options.output;
}

bool starts(const command_line& options) {
  return options.run && options.makes == product::program && options.compile_commands.empty();
}
bool only_started(const command_line& options) { return starts(options) && options.output.empty(); }

/// A program that is only started stands in the folder for what is not kept.
std::string program_of(const command_line& options, const std::filesystem::path& folder) {
  if (!only_started(options)) return output_of(options, "a.out");
  const std::string name = std::filesystem::path(options.inputs.front()).stem().string();
  return (folder / (name.empty() ? "program" : name)).string();
}

void check_exists(const std::string& input) {
  if (!std::filesystem::exists(input))
    throw program_error(input + ": error: there is no such file. Check the name and the folder.\n");
}

/// The objects that the inputs become or are, with the linker's words between them. All files that do not compile are told of.
std::vector<std::string> compiled(compiler& step, const command_line& options, const std::filesystem::path& folder) {
  std::vector<std::string> objects;
  std::string wrong;
  int number = 0;
  for (const std::string& input : options.inputs) {
    const std::filesystem::path source(input);
    if (input[0] == '-' || !compiler::is_source(source)) {
      if (input[0] != '-') check_exists(input);
      objects.push_back(input);
      continue;
    }
    std::filesystem::path object = folder / (std::to_string(++number) + "-" + source.stem().string() + ".o");
    if (options.makes == product::objects) object = output_of(options, source.stem().string() + ".o");
    try {
      objects.push_back(step.compile(source, object).string());
    } catch (const program_error& e) {
      wrong += e.what();
    }
  }
  if (!wrong.empty()) throw program_error(wrong);
  return objects;
}

/// What is made of each source alone, without compiling it.
void read_sources(compiler& step, const command_line& options) {
  for (const std::string& input : options.inputs) {
    if (input[0] == '-') continue;
    const std::filesystem::path source(input);
    if (options.makes == product::text)
      step.preprocess(source, output_of(options, "-"));  // to stdout, as nvcc does
    else
      step.list_dependencies(source);
  }
}

void tell_without_effect(const command_line& options) {
  if (options.without_effect.empty() || std::ranges::find(options.warnings, "-w") != options.warnings.end()) return;
  std::string list;
  for (const std::string& option : options.without_effect) list += (list.empty() ? "" : ", ") + option;
  std::cerr << "simtcc: note: without effect on the emulator: " << list << ".\n";
}

void make(compiler& step, const command_line& options, const installation& where, const std::filesystem::path& folder) {
  if (options.makes == product::text || options.makes == product::dependencies) return read_sources(step, options);
  const std::vector<std::string> objects = compiled(step, options, folder);
  switch (options.makes) {
    case product::program:
      step.link(objects, program_of(options, folder));
      if (options.verbose) std::cerr << link_line_as_nvcc(where);
      return;
    case product::device_link:
      return step.device_link(output_of(options, "a_dlink.o"));
    case product::static_library:
      return step.archive(objects, output_of(options, "a.a"));
    case product::shared_library:
      if (!step.holds_device_code(objects)) return step.link_host_library(objects, output_of(options, "a.so"));
      step.link_shared(objects, output_of(options, "a.so"));
      std::cerr << "simtcc: note: " << output_of(options, "a.so")
                << " becomes a part of each program that is linked with it; dlopen and Python cannot load it.\n";
      return;
    default:
      return;
  }
}

void build(const command_line& options, const std::filesystem::path& folder) {
  const installation where = installation::find();
  if (!options.compile_commands.empty()) return add_compile_commands(options, where);
  if (options.verbose) std::cerr << folders_as_nvcc(where, options);
  tell_without_effect(options);
  compiler step(options, where, folder);
  if (options.precompile_headers) return step.precompile_headers();
  make(step, options, where, folder);
}

std::string version(const command_line& options) {
  if (options.gpu_code) {
    const gpu_toolchain tools = gpu_toolchain::find(installation::find());
    return "simtcc (simtlab) " SIMTLAB_VERSION " with " + tools.nvcc.string() + " and " + tools.nvdisasm.string() +
           "\n";
  }
  return options.as_nvcc ? version_as_nvcc(installation::find()) : "simtcc (simtlab) " SIMTLAB_VERSION "\n";
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

/// Returns the exit code: 1 where a file does not compile.
int tell_support(const command_line& options) {
  const temporary_folder folder(options.keep);
  const std::vector<file_support> files = check_support(options, installation::find(), folder.path());
  std::cout << support_table(files);
  return std::ranges::all_of(files, [](const file_support& f) { return f.first_error.empty(); }) ? 0 : 1;
}

/// Builds, and starts the program where that is asked for. Returns the exit code.
int build_and_start(const command_line& options) {
  int status = 0;
  {
    const temporary_folder folder(options.keep);
    build(options, folder.path());
    if (options.verbose) tell_times();
    if (!starts(options)) return 0;
    if (only_started(options)) status = run_to_its_end(program_of(options, folder.path()), options);
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

int run_simtcc(const std::vector<std::string>& arguments) {
  try {
    const command_line options = parse_command_line(arguments);
    if (options.help)
      std::cout << usage();
    else if (options.version)
      std::cout << version(options);
    else if (options.list_options)
      std::cout << option_list();
    else if (!options.check_support.empty())
      return tell_support(options);
    else
      return build_and_start(options);
    return 0;
  } catch (const usage_error& e) {
    std::cerr << "simtcc: " << e.what() << ".\n";
    return 2;
  } catch (const program_error& e) {
    std::cerr << e.what();
    return 1;
  } catch (const machine_fault& e) {
    std::cerr << "simtcc: " << e.what() << ".\n";
    return 3;
  } catch (const std::system_error& e) {
    const std::string known = sentence_of(e);
    std::cerr << "simtcc: "
              << (known.empty() ? std::string("internal error, not the program's fault: ") + e.what() : known) << ".\n";
    return 3;
  } catch (const std::exception& e) {
    std::cerr << "simtcc: internal error, not the program's fault: " << e.what() << ".\n";
    return 3;
  }
}

}  // namespace simtlab::emulator

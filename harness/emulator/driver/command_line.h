// simtcc's options: nvcc's, as far as they mean something without a GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace simtlab::emulator {

/// The command line cannot be used: exit code 2.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is left in the end.
enum class product : std::uint8_t {
  program,
  objects,         ///< -c
  device_link,     ///< -dlink: an object with nothing in it, as device code is linked with the rest
  shared_library,  ///< -shared: an archive that programs are linked with; nothing of it can be loaded while one runs
  static_library,  ///< -lib
  text,            ///< -E
  dependencies     ///< -M, -MM: a rule for make
};

struct command_line {
  std::vector<std::string> inputs;  ///< files, and words for the linker, in the order given: the linker cares
  product makes = product::program;
  std::string output;                     ///< empty: a.out, or FILE.o with -c, or FILE.ii with -E
  std::string output_folder;              ///< -odir: of outputs without a name
  bool precompile_headers = false;        ///< and nothing else
  bool precompile_course_header = false;  ///< <wb.h>, too
  std::string compile_commands;  ///< add how clangd reads the inputs to this compile database, and nothing else
  std::string check_support;  ///< tell of the CUDA files of this folder what the emulator lacks for them, and no more
  bool help = false, version = false, verbose = false;
  bool list_options = false;             ///< and nothing else: for the completions of shells
  bool as_nvcc = false;                  ///< started by nvcc's name, whose answers build systems read
  bool all_cuda = false;                 ///< -x cu: C++ files are CUDA sources, too
  bool for_debugger = false;             ///< .cu files without optimisation and hooks
  bool relaxed_constexpr = false;        ///< device code may call `constexpr` functions of the host
  bool extended_lambda = false;          ///< lambdas may be `__device__`
  bool contracts = false;                ///< -fmad=true: a product and a sum of .cu files are rounded once
  bool separate_device_code = false;     ///< -rdc=true, -dc: device code may use another file's
  std::optional<std::string> front_end;  ///< ask this CUDA front end, too (front_end.h); empty: the quickest there is
  bool submission = false;               ///< the source may not say what hides or changes what is seen or counted
  bool unrestricted = false;             ///< the source may say what changes what is seen or counted
  int cuda_arch = 0;                     ///< `__CUDA_ARCH__`: of -arch, else of the GPU that is emulated
  bool gpu_code = false;                 ///< --engine sass: the program carries what nvcc makes of its kernels along
  int gpu_code_architecture = 90;        ///< sm_NN, of -arch
  std::vector<std::string> gpu_code_options;  ///< nvcc's, for device code: -use_fast_math, -maxrregcount=32
  bool run = false;                           ///< start the program once it is linked
  std::vector<std::string> run_arguments;     ///< with these
  std::string expanded_text;  ///< where the text of the one file that is compiled goes, macros replaced; empty: nowhere
  std::string keep;           ///< folder for the intermediate files; empty: they are removed
  std::string standard = "gnu++17";           ///< nvcc's default
  std::vector<std::string> preprocessing;     ///< -I -D -U -include -isystem
  bool show_search = false;                   ///< the preprocessor lists the folders that it searches
  std::string dependency_option;              ///< -MD or -MMD: a rule for make beside each object; -M, -MM: alone
  std::string dependency_file;                ///< of that rule; empty: named after the object
  std::vector<std::string> dependency_words;  ///< -MP, -MT TARGET
  std::vector<std::string> host_options;      ///< for files that are compiled as plain C++: -O2, -W...
  std::vector<std::string> warnings;          ///< -W... and -w: for all files
  std::vector<std::string> linking;           ///< -L -pthread
  std::vector<std::string> everywhere;        ///< for all files and the linker: -fopenmp
  /// `SIMTLAB_NAME=value`: what the program takes where its environment says nothing.
  std::vector<std::string> program_options;
  std::vector<std::string> without_effect;  ///< options with their reasons, for one note
};

/// Throws `usage_error`.
[[nodiscard]] command_line parse_command_line(const std::vector<std::string>& words);
[[nodiscard]] std::string usage();
/// Every option and what it does, separated by a tab, a line each.
[[nodiscard]] std::string option_list();

}  // namespace simtlab::emulator

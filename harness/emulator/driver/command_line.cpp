#include "driver/command_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "core/gpu_model.h"

namespace simtlab::emulator {
namespace {

using namespace std::string_view_literals;

/// Options of nvcc that concern only real GPUs or its own passes: accepted, without effect.
constexpr std::array ignored{"-lineinfo"sv,
                             "--generate-line-info"sv,
                             "-G"sv,
                             "--device-debug"sv,
                             "-g"sv,
                             "--debug"sv,
                             "-use_fast_math"sv,
                             "--use_fast_math"sv,
                             "-m64"sv,
                             "--resource-usage"sv,
                             "-res-usage"sv,
                             "-lcudart"sv,
                             "-lcuda"sv,
                             "-lcudadevrt"sv,
                             "-lcudart_static"sv,
                             "-restrict"sv,
                             "-MD"sv,
                             "-MMD"sv,
                             "-MP"sv};
/// The same, with a value behind `=` or in the next word.
constexpr std::array ignored_with_value{"-code"sv,
                                        "--gpu-code"sv,
                                        "-maxrregcount"sv,
                                        "--maxrregcount"sv,
                                        "-Xptxas"sv,
                                        "--ptxas-options"sv,
                                        "-Xcicc"sv,
                                        "-Xcudafe"sv,
                                        "-Xnvlink"sv,
                                        "-ccbin"sv,
                                        "--compiler-bindir"sv,
                                        "-cudart"sv,
                                        "--cudart"sv,
                                        "-default-stream"sv,
                                        "--default-stream"sv,
                                        "-ftz"sv,
                                        "--ftz"sv,
                                        "-fmad"sv,
                                        "--fmad"sv,
                                        "-prec-div"sv,
                                        "--prec-div"sv,
                                        "-prec-sqrt"sv,
                                        "--prec-sqrt"sv,
                                        "-t"sv,
                                        "--threads"sv,
                                        "-diag-suppress"sv,
                                        "--diag-suppress"sv,
                                        "-MF"sv,
                                        "-MT"sv,
                                        "-MQ"sv};
/// Libraries of the CUDA Toolkit that the emulator does not have.
constexpr std::array missing{"cublas"sv, "curand"sv, "cufft"sv, "cusparse"sv, "cusolver"sv,  "cudnn"sv,
                             "nccl"sv,   "npp"sv,    "nvml"sv,  "nvrtc"sv,    "nvToolsExt"sv};

/// What nvcc does and simtcc does not, and what to do instead.
struct refused_option {
  std::string_view option, why;
};
constexpr std::array<refused_option, 9> refused{{
    {"-ptx", "makes PTX, and the emulator has none. For PTX use nvcc"},
    {"--ptx", "makes PTX, and the emulator has none. For PTX use nvcc"},
    {"-cubin", "makes code for a GPU, and the emulator has none. Use nvcc"},
    {"-fatbin", "makes code for a GPU, and the emulator has none. Use nvcc"},
    {"-dlink", "is not needed: device code of several files is linked with the rest. Leave the step out"},
    {"-lib", "makes a library. Compile with -c and give the .o files to simtcc"},
    {"-shared", "makes a shared library, where the emulator can't find kernels. Compile with -c and link the .o files"},
    {"-M", "lists headers. g++ -M does that"},
    {"-MM", "lists headers. g++ -MM does that"},
}};

/// Options of the program that is built: a flag that takes a value, and the variable of the environment it stands for.
struct program_option {
  std::string_view flag, variable;
};
constexpr std::array<program_option, 7> program_options{{
    {"--workers", "SIMTLAB_WORKERS"},
    {"--checks", "SIMTLAB_CHECKS"},
    {"--counters", "SIMTLAB_COUNTERS"},
    {"--schedule", "SIMTLAB_SCHEDULE"},
    {"--gpu", "SIMTLAB_GPU"},
    {"--report", "SIMTLAB_REPORT"},
    {"--error-exitcode", "SIMTLAB_ERROR_EXITCODE"},
}};

template <class Array>
bool is_one_of(const Array& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The emulator's headers need C++17: what was written for an older standard is compiled by that one.
std::string at_least_17(const std::string& standard) {
  const std::size_t digits = standard.rfind("++") + 2;  // of c++11, gnu++11
  constexpr std::array<std::string_view, 8> older{"98", "03", "0x", "11", "1y", "14", "1z", "17"};
  if (digits < 2 || !is_one_of(older, std::string_view(standard).substr(digits))) return standard;
  return standard.substr(0, digits) + "17";
}

/// Of `--option=value`.
std::string_view name_of(const std::string& word) { return std::string_view(word).substr(0, word.find('=')); }

class parser {
 public:
  explicit parser(const std::vector<std::string>& words) : words_(words) {}

  command_line run() {
    for (; at_ < words_.size(); ++at_) word(words_[at_]);
    if (out_.cuda_arch == 0) emulated_architecture();
    if (out_.help || out_.version || out_.precompile_headers) return std::move(out_);
    const bool file = std::any_of(out_.inputs.begin(), out_.inputs.end(), [](const auto& i) { return i[0] != '-'; });
    if (!file) throw usage_error("no input file. Give the program's source: simtcc prog.cu -o prog");
    if ((out_.compile_only || out_.preprocess_only) && !out_.output.empty() && out_.inputs.size() > 1)
      throw usage_error((out_.preprocess_only ? "-E with -o preprocesses" : "-c with -o compiles") +
                        std::string(" one file, but ") + std::to_string(out_.inputs.size()) + " were given");
    return std::move(out_);
  }

 private:
  /// The value of an option that is spelled `-o value`, `-ovalue` or `-o=value`.
  std::string value(std::string_view option, const std::string& text) {
    if (text.size() > option.size()) {
      const std::size_t skip = text[option.size()] == '=' ? 1 : 0;
      return text.substr(option.size() + skip);
    }
    if (at_ + 1 >= words_.size()) throw usage_error(std::string(option) + " needs a value behind it");
    return words_[++at_];
  }

  void word(const std::string& w) {
    if (w.empty()) throw usage_error("an empty word on the command line");
    if (w[0] != '-' || w == "-") return input(w);
    if (w == "-h" || w == "--help")
      out_.help = true;
    else if (w == "-V" || w == "--version")
      out_.version = true;
    else if (w == "-v" || w == "--verbose")
      out_.verbose = true;
    else if (w == "-c" || w == "--compile")
      out_.compile_only = true;
    else if (w == "-dc" || w == "--device-c")
      out_.compile_only = out_.separate_device_code = true;
    else if (w == "-E" || w == "--preprocess")
      out_.preprocess_only = true;
    else if (w == "--precompile-headers")
      out_.precompile_headers = true;
    else if (w == "--compile-commands" || w.starts_with("--compile-commands="))
      out_.compile_commands = value("--compile-commands", w);
    else if (w == "--keep" || w.starts_with("--keep="))
      out_.keep = value("--keep", w);
    else if (w == "--std" || w.starts_with("--std="))
      out_.standard = at_least_17(value("--std", w));
    else if (w.starts_with("-std"))
      out_.standard = at_least_17(value("-std", w));
    else if (w == "--output-file")
      out_.output = value("--output-file", w);
    else if (w == "-x")
      expect_cuda(value("-x", w));
    else if (w == "-include" || w == "-isystem")
      out_.preprocessing.insert(out_.preprocessing.end(), {w, value(w, w)});
    else if (w.starts_with("-Xcompiler"))
      pass_to_compiler(value("-Xcompiler", w));
    else if (w.starts_with("--compiler-options"))
      pass_to_compiler(value("--compiler-options", w));
    else if (w.starts_with("-Xlinker"))
      out_.linking.insert(out_.linking.end(), {"-Xlinker", value("-Xlinker", w)});
    else if (w.starts_with("-l") && is_missing(w.substr(2)))
      throw usage_error("the library " + w.substr(2) +
                        " is not part of the emulator, which runs your own kernels only. Remove " + w);
    else if (is_one_of(ignored, w) || is_refused(w) || is_program_option(w))
      return;
    else if (w == "--annotate" || w == "--profile")
      out_.program_options.emplace_back(w == "--annotate" ? "SIMTLAB_ANNOTATE=1" : "SIMTLAB_PROFILE=1");
    else if (w == "--expt-relaxed-constexpr" || w == "-expt-relaxed-constexpr")
      out_.relaxed_constexpr = true;
    else if (w == "--extended-lambda" || w == "-extended-lambda" || w == "--expt-extended-lambda" ||
             w == "-expt-extended-lambda")
      out_.extended_lambda = true;
    else if (const std::string_view option = name_of(w);
             option == "-arch" || option == "--gpu-architecture" || option == "-gencode" || option == "--generate-code")
      architecture(value(option, w));
    else if (option == "-rdc" || option == "--relocatable-device-code")
      out_.separate_device_code = value(option, w) == "true";
    else if (w == "--front-end")
      out_.front_end.emplace();
    else if (w.starts_with("--front-end="))
      out_.front_end = w.substr(std::string_view("--front-end=").size());
    else if (w == "--unrestricted")
      out_.unrestricted = true;
    else if (w == "--for-gdb")
      for_debugger();
    else if (w == "-run" || w == "--run")
      out_.run = true;
    else if (w.starts_with("-run-args") || w.starts_with("--run-args"))
      add_list(out_.run_arguments, value(w.starts_with("--") ? "--run-args" : "-run-args", w));
    else if (w == "--disable-warnings")
      out_.warnings.emplace_back("-w");
    else if (w == "--Werror" || w == "-Werror" || w.starts_with("--Werror="))
      warnings_are_errors(w);
    else if (is_one_of(ignored_with_value, w.substr(0, w.find('='))))
      value(w.substr(0, w.find('=')), w);
    else
      short_option(w);
  }

  void short_option(const std::string& w) {
    const std::string option = w.substr(0, 2);
    if (option == "-o")
      out_.output = value("-o", w);
    else if (option == "-I" || option == "-D" || option == "-U")
      out_.preprocessing.push_back(option + value(option, w));
    else if (option == "-L")
      out_.linking.push_back("-L" + value("-L", w));
    else if (option == "-l")
      out_.inputs.push_back("-l" + value("-l", w));
    else if (w.starts_with("-Wl,") || w == "-pthread" || w == "-s")
      out_.linking.push_back(w);
    else if (w == "-fopenmp")
      out_.everywhere.push_back(w);
    else if (option == "-W" || w == "-w")
      out_.warnings.push_back(w);
    else if (option == "-O" || option == "-f" || option == "-m" || option == "-g" || w == "-pedantic")
      out_.host_options.push_back(w);
    else
      throw usage_error("the option " + w + " is unknown. simtcc --help lists what there is");
  }

  void input(const std::string& w) { out_.inputs.push_back(w); }

  static bool is_missing(std::string_view library) {
    return std::any_of(missing.begin(), missing.end(), [&](std::string_view m) { return library.starts_with(m); });
  }

  /// Throws when nvcc has this option and simtcc can't have it.
  static bool is_refused(const std::string& w) {
    for (const refused_option& r : refused)
      if (w == r.option) throw usage_error(w + " " + std::string(r.why));
    return false;
  }

  bool is_program_option(const std::string& w) {
    for (const program_option& o : program_options) {
      if (w.substr(0, w.find('=')) != o.flag) continue;
      const std::string given = value(o.flag, w);
      if (given.empty() || given.find('\n') != std::string::npos) throw usage_error(w + " needs a value");
      if ((o.flag == "--workers" || o.flag == "--error-exitcode") &&
          given.find_first_not_of("0123456789") != std::string::npos)
        throw usage_error(std::string(o.flag) + " takes a number, not \"" + given + "\"");
      if ((o.flag == "--checks" || o.flag == "--counters") && given != "on" && given != "off")
        throw usage_error(std::string(o.flag) + " is on or off, not \"" + given + "\"");
      out_.program_options.push_back(std::string(o.variable) + "=" + given);
      return true;
    }
    return false;
  }

  /// `sm_70` and `arch=compute_70,code=sm_70` alike: the first number counts, as nvcc compiles for each of several.
  void architecture(const std::string& text) {
    const std::size_t digit = text.find_first_of("0123456789");
    if (digit == std::string::npos) return;  // native, all
    int number = 0;
    std::from_chars(text.data() + digit, text.data() + text.size(), number);
    out_.cuda_arch = number * 10;
  }

  void emulated_architecture() {
    const gpu_model* gpu = gpu_models().data();
    for (const std::string& option : out_.program_options)
      if (option.starts_with("SIMTLAB_GPU="))
        if (const gpu_model* named = find_gpu(std::string_view(option).substr(12))) gpu = named;
    out_.cuda_arch = gpu->major * 100 + gpu->minor * 10;
  }

  void for_debugger() {
    out_.for_debugger = true;
    for (const char* option : {"SIMTLAB_CHECKS=off", "SIMTLAB_COUNTERS=off"}) out_.program_options.emplace_back(option);
  }

  /// nvcc's form: `-Werror all-warnings`.
  void warnings_are_errors(const std::string& w) {
    out_.warnings.emplace_back("-Werror");
    if (w.find('=') == std::string::npos && at_ + 1 < words_.size() && words_[at_ + 1].ends_with("-warnings")) ++at_;
  }

  void expect_cuda(const std::string& language) {
    if (language != "cu") throw usage_error("-x " + language + " is not supported: a file's ending says what it is");
    out_.all_cuda = true;
  }

  static void add_list(std::vector<std::string>& to, const std::string& list) {
    std::size_t begin = 0;
    while (begin <= list.size()) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      if (end > begin) to.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void pass_to_compiler(std::string list) {
    if (list.size() > 1 && list.front() == '"' && list.back() == '"') list = list.substr(1, list.size() - 2);
    std::vector<std::string> given;
    add_list(given, list);
    for (const std::string& w : given) {
      if (w.starts_with("-W") || w == "-w")
        out_.warnings.push_back(w);
      else if (w == "-pthread")
        out_.linking.push_back(w);
      else if (w == "-fopenmp")
        out_.everywhere.push_back(w);
      else
        out_.host_options.push_back(w);
    }
  }

  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  command_line out_;
};

}  // namespace

command_line parse_command_line(const std::vector<std::string>& words) { return parser(words).run(); }

std::string usage() {
  return R"(simtcc compiles CUDA C++ for simtlab's emulator: the program runs on the CPU, counted and checked.

usage: simtcc [options] FILE...
       simtcc prog.cu -o prog && ./prog          build, then run: findings on stderr at the end
       simtcc --annotate --run prog.cu           both at once, with counters beside every line

Files
  FILE.cu                  CUDA C++: its kernels are counted and checked, its headers translated with it
  FILE.cpp .cc .cxx .c     plain C++; CUDA C++ with -x cu
  FILE.o .a .so, -lNAME    for the linker
  -o OUT                   the program (a.out), with -c the object file (FILE.o), with -E the text (FILE.ii)
  -c                       compile only
  -E                       preprocess only: macros replaced, headers pasted in, nothing translated
  --keep DIR               leave the intermediate files in DIR
  --compile-commands FILE  compile nothing: add to the database FILE (compile_commands.json) how an editor's clangd reads
                           each .cu FILE with these options
  --precompile-headers     parse the emulator's headers once for all programs with these options; the build does this

Compiling
  -I DIR, -D NAME[=VALUE], -U NAME, -include FILE, -isystem DIR, -L DIR
  --front-end[=PATH]       also ask a real CUDA front end: the one at PATH, or the quickest that the build found
  --unrestricted           for simtlab's own tests: the source may say what a submission may not
  -std=c++NN               default gnu++17, as nvcc's; older standards count as 17
  -O0 .. -O3               for plain C++ files; kernels have one level, for which the counters are defined
  -W..., -w                warnings; likely mistakes warn by default, -w silences all
  -Xcompiler A,B           options for the C++ compiler (-fopenmp reaches all files and the linker)
  -v                       show the commands that run
  --expt-relaxed-constexpr  device code may call constexpr functions of the host
  --for-gdb                build for stepping: nothing is optimised, counted or checked. With SIMTLAB_DEBUG_BLOCK=1,0 and
                           SIMTLAB_DEBUG_THREAD=3,2 simtlab_debug_stop is called before that thread enters a kernel
  --run, --run-args A,B    start the finished program; its exit code becomes simtcc's. Without -o it is not kept

Options of the program. A flag is stored in the program; the environment overrides it when the program runs.
  --workers N              SIMTLAB_WORKERS=N       CPU threads that run blocks (1); results do not depend on it
  --checks on|off          SIMTLAB_CHECKS=on|off   races, bounds, initialisation, barriers (on); off is faster
  --counters on|off        SIMTLAB_COUNTERS=on|off requests, sectors, wavefronts (on)
  --schedule ORDER         SIMTLAB_SCHEDULE=ORDER  in-order, reverse or random:SEED: the order of blocks, warps and lanes
  --gpu KEY                SIMTLAB_GPU=KEY         whose properties and occupancy the program sees: simtlab (the default),
                                                   h200, a100, rtx4090, l4, rtx3090, t4, v100, gtx1080, lecture
  --annotate               SIMTLAB_ANNOTATE=1      the source on stderr, counters and findings beside each line
  --profile                SIMTLAB_PROFILE=1       one line on stderr per access of each launch
  --report FILE            SIMTLAB_REPORT=FILE     findings as SARIF (FILE.sarif) or JUnit (FILE.xml), else everything as JSON
                                                   (report.schema.json); - for stdout; %p in the name is the process
  --error-exitcode N       SIMTLAB_ERROR_EXITCODE=N  exit code after an error finding (86); 0: the program's own
                           SIMTLAB_SUMMARY=1       the last line on stderr also where nothing was found

wb.h, the support header of many courses, is included; a copy of your own comes first with -I.
nvcc's -arch and -gencode set __CUDA_ARCH__; -G, -lineinfo, -Xptxas, -use_fast_math and the like are accepted without effect.
A sentence refuses what the emulator does not have: PTX and inline PTX, launches from kernels, texture references,
surfaces, cooperative groups, tensor cores, cuBLAS, cuRAND, CUB, Thrust and the other libraries, OpenCV, cutil.

exit code: 0 done; 1 the program is wrong, messages on stderr; 2 the command line is wrong; 3 simtcc's own fault
A program with an error finding ends with exit code 86 unless its own is not zero; one that a fault of its host code
stops ends with 70.
SIMTLAB_EMULATOR_ROOT names the folder of another build's emulator (with its simtcc.conf).
)";
}

}  // namespace simtlab::emulator

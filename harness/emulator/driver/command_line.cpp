#include "driver/command_line.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace simtlab::emulator {
namespace {

using namespace std::string_view_literals;

/// Options of nvcc that concern only real GPUs or its own passes: accepted, without effect.
constexpr std::array ignored{"-lineinfo"sv,
                             "--generate-line-info"sv,
                             "-G"sv,
                             "--device-debug"sv,
                             "-g"sv,
                             "-rdc=true"sv,
                             "-rdc=false"sv,
                             "--relocatable-device-code=true"sv,
                             "--relocatable-device-code=false"sv,
                             "-use_fast_math"sv,
                             "--use_fast_math"sv,
                             "--expt-relaxed-constexpr"sv,
                             "-expt-relaxed-constexpr"sv,
                             "--expt-extended-lambda"sv,
                             "--extended-lambda"sv,
                             "-extended-lambda"sv,
                             "-m64"sv,
                             "-lcudart"sv,
                             "-lcuda"sv,
                             "-lcudadevrt"sv,
                             "-lcudart_static"sv,
                             "--cudart=static"sv,
                             "-cudart=static"sv,
                             "-restrict"sv,
                             "--threads=0"sv};
/// The same, with a value behind `=` or in the next word.
constexpr std::array ignored_with_value{"-arch"sv,
                                        "--gpu-architecture"sv,
                                        "-code"sv,
                                        "--gpu-code"sv,
                                        "-gencode"sv,
                                        "--generate-code"sv,
                                        "-maxrregcount"sv,
                                        "--maxrregcount"sv,
                                        "-Xptxas"sv,
                                        "--ptxas-options"sv,
                                        "-Xcicc"sv,
                                        "-ccbin"sv,
                                        "--compiler-bindir"sv,
                                        "-t"sv,
                                        "-diag-suppress"sv,
                                        "--diag-suppress"sv};
/// Libraries of the CUDA Toolkit that the emulator does not have.
constexpr std::array missing{"-lcublas"sv,   "-lcurand"sv, "-lcufft"sv, "-lcusparse"sv,
                             "-lcusolver"sv, "-lcudnn"sv,  "-lnccl"sv};

template <class Array>
bool is_one_of(const Array& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class parser {
 public:
  explicit parser(const std::vector<std::string>& words) : words_(words) {}

  command_line run() {
    for (; at_ < words_.size(); ++at_) word(words_[at_]);
    if (out_.help || out_.version) return std::move(out_);
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
    else if (w == "-c" || w == "--compile" || w == "-dc" || w == "--device-c")
      out_.compile_only = true;
    else if (w == "-E" || w == "--preprocess")
      out_.preprocess_only = true;
    else if (w == "--keep" || w.starts_with("--keep="))
      out_.keep = value("--keep", w);
    else if (w == "--std" || w.starts_with("--std="))
      out_.standard = value("--std", w);
    else if (w.starts_with("-std"))
      out_.standard = value("-std", w);
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
    else if (is_one_of(missing, w))
      throw usage_error("the library " + w.substr(2) +
                        " is not part of the emulator, which runs your own kernels only. Remove " + w);
    else if (is_one_of(ignored, w))
      return;
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
    else if (option == "-W" || w == "-w")
      out_.warnings.push_back(w);
    else if (option == "-O" || option == "-f" || option == "-m" || option == "-g" || w == "-pedantic")
      out_.host_options.push_back(w);
    else
      throw usage_error("the option " + w + " is unknown. simtcc --help lists what there is");
  }

  void input(const std::string& w) { out_.inputs.push_back(w); }

  void expect_cuda(const std::string& language) {
    if (language != "cu") throw usage_error("-x " + language + " is not supported: a file's ending says what it is");
    all_cuda_ = true;
  }

  void pass_to_compiler(const std::string& list) {
    std::size_t begin = 0;
    while (begin <= list.size()) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const std::string w = list.substr(begin, end - begin);
      if (w.starts_with("-W") || w == "-w")
        out_.warnings.push_back(w);
      else if (w == "-pthread")
        out_.linking.push_back(w);
      else if (!w.empty())
        out_.host_options.push_back(w);
      begin = end + 1;
    }
  }

  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  bool all_cuda_ = false;
  command_line out_;
};

}  // namespace

command_line parse_command_line(const std::vector<std::string>& words) { return parser(words).run(); }

std::string usage() {
  return R"(simtcc compiles CUDA C++ for simtlab's emulator: the program runs on the CPU, counted and checked.

usage: simtcc [options] FILE...

  FILE.cu                  CUDA C++: kernels are counted and checked
  FILE.cpp .cc .cxx .c     plain C++, compiled as it is
  FILE.o .a .so, -lNAME    for the linker
  -o OUT                   the program (a.out), with -c the object file (FILE.o), with -E the text (FILE.ii)
  -c                       compile only
  -E                       preprocess only: macros replaced, headers pasted in, nothing translated
  -I DIR, -D NAME[=VALUE], -U NAME, -include FILE, -L DIR
  -std=c++NN               default gnu++17, as nvcc's
  -O0 .. -O3               for plain C++ files; .cu files are always compiled the one way that the counters are defined for
  -W..., -w                warnings
  -Xcompiler A,B           options for the C++ compiler
  --keep DIR               leave the intermediate files in DIR
  -v                       show the commands that are run
  --help, --version

nvcc's -arch, -gencode, -G, -lineinfo, -rdc, --use_fast_math and their like are accepted and have no effect.
SIMTLAB_EMULATOR_ROOT names the folder of another build's emulator (with its simtcc.conf).

exit code: 0 done; 1 the program is wrong, messages on stderr; 2 the command line is wrong; 3 simtcc's own fault
)";
}

}  // namespace simtlab::emulator

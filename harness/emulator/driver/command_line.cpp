#include "driver/command_line.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/gpu_model.h"
#include "driver/gpu_architectures.h"
#include "driver/host_options.h"
#include "driver/nvcc_options.h"
#include "driver/response_file.h"

namespace simtlab::emulator {
namespace {

/// Libraries of the CUDA Toolkit that the emulator does not have.
constexpr std::array<std::string_view, 12> missing{"cublasLt", "cublasXt", "curand", "cufft", "cusparse", "cusolver",
                                                   "cudnn",    "nccl",     "npp",    "nvml",  "nvrtc",    "nvToolsExt"};
/// Those that it is: programs are linked with it anyway.
constexpr std::array<std::string_view, 6> own_libraries{"cudart", "cudart_static", "cudadevrt",
                                                        "cuda",   "cublas",        "cublas_static"};
/// Endings of code for a GPU.
constexpr std::array<std::string_view, 5> gpu_code_endings{".ptx", ".cubin", ".fatbin", ".ltoir", ".optixir"};

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
std::string name_of(const std::string& word) { return word.substr(0, word.find('=')); }

/// Options of nvcc's that change what it makes of a kernel, as `--engine sass` runs it.
constexpr std::array<std::string_view, 12> of_gpu_code{
    "-use_fast_math", "-ftz",     "-prec-div",     "-prec-sqrt", "-fmad",     "-Xptxas",
    "-Xcicc",         "-Xcudafe", "-maxrregcount", "-dopt",      "-restrict", "-extra-device-vectorization"};

/// `libx.so.12`, `libx.a`: x. Empty for other files.
std::string library_of(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  const std::size_t end = std::min(name.find(".so"), name.find(".a"));
  return name.starts_with("lib") && end != std::string::npos ? name.substr(3, end - 3) : "";
}

/// Separated by commas, or by what a shell would have separated words by.
std::vector<std::string> listed(const std::string& list, std::string_view separators) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find_first_of(separators, begin), list.size());
    if (end > begin) result.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

class parser {
 public:
  explicit parser(std::vector<std::string> words) : words_(std::move(words)) {}

  command_line run() {
    for (; at_ < words_.size(); ++at_) word(words_[at_]);
    choose_architecture();
    finish_engine();
    if (compiles_cuda())
      for (const auto& [option, why] : not_for_cuda_) note(option, why);
    if (out_.help || out_.version || out_.list_options || out_.precompile_headers || !out_.check_support.empty())
      return std::move(out_);
    check();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool compiles_cuda() const {
    return std::ranges::any_of(out_.inputs, [this](const std::string& i) {
      return i.ends_with(".cu") ||
             (out_.all_cuda && (i.ends_with(".cpp") || i.ends_with(".cc") || i.ends_with(".cxx")));
    });
  }

  void check() const {
    const auto files = std::count_if(out_.inputs.begin(), out_.inputs.end(), [](const auto& i) { return i[0] != '-'; });
    if (files == 0) throw usage_error("no input file. Give the program's source: simtcc prog.cu -o prog");
    const bool one_each = out_.makes == product::objects || out_.makes == product::text;
    if (one_each && !out_.output.empty() && files > 1)
      throw usage_error((out_.makes == product::text ? "-E with -o preprocesses" : "-c with -o compiles") +
                        std::string(" one file, but ") + std::to_string(files) + " were given");
    if (!out_.expanded_text.empty() && (files > 1 || out_.makes != product::objects))
      throw usage_error("--expanded-text keeps the text of one file that -c compiles");
    if (!out_.dependency_file.empty() && files > 1 && out_.makes != product::program)
      throw usage_error("-MF names the rule of one file, but " + std::to_string(files) + " were given");
  }

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
    if (own_option(w) || is_program_option(w)) return;
    const std::string name = name_of(w);
    const nvcc_option* const option = find_nvcc_option(name);
    if (option != nullptr && (option->has_value || name == w)) return of_nvcc(*option, name, w);
    if (!joined(w)) of_host(w, [this, &w] { return value(w, w); });
  }

  /// Those that nvcc does not have.
  bool own_option(const std::string& w) {
    if (w == "--precompile-headers" || w == "--precompile-headers=course")
      out_.precompile_headers = true, out_.precompile_course_header = w.ends_with("=course");
    else if (w == "--compile-commands" || w.starts_with("--compile-commands="))
      out_.compile_commands = value("--compile-commands", w);
    else if (w == "--check-support" || w.starts_with("--check-support="))
      out_.check_support = value("--check-support", w);
    else if (w == "--list-options")
      out_.list_options = true;
    else if (w == "--as-nvcc")
      out_.as_nvcc = true;
    else if (w == "--expanded-text" || w.starts_with("--expanded-text="))
      out_.expanded_text = value("--expanded-text", w);
    else if (w == "--keep" || w.starts_with("--keep="))
      keep(w);
    else if (w == "--annotate" || w == "--profile")
      out_.program_options.emplace_back(w == "--annotate" ? "SIMTLAB_ANNOTATE=1" : "SIMTLAB_PROFILE=1");
    else if (w == "--front-end")
      out_.front_end.emplace();
    else if (w.starts_with("--front-end="))
      out_.front_end = w.substr(std::string_view("--front-end=").size());
    else if (w == "--engine" || w.starts_with("--engine="))
      engine(value("--engine", w));
    else if (w == "--submission")
      out_.submission = true;
    else if (w == "--unrestricted")
      out_.unrestricted = true;
    else if (w == "--for-gdb")
      for_debugger();
    else if (w == "--Werror" || w == "-Werror" || w.starts_with("--Werror=") || w.starts_with("-Werror="))
      warnings_are_errors(w);
    else
      return false;
    return true;
  }

  void of_nvcc(const nvcc_option& option, const std::string& name, const std::string& w) {
    const std::string given = option.has_value ? value(name, w) : "";
    if (is_one_of(of_gpu_code, option.name)) {
      out_.gpu_code_options.push_back(std::string(option.name) + (option.has_value ? "=" + given : ""));
    }
    if (option.treatment == nvcc_treatment::served) return serve(option.name, given);
    if (is_satisfied(option, given)) return;
    if (option.treatment == nvcc_treatment::refused)
      throw usage_error(name + (given.empty() ? "" : "=" + given) + " " + std::string(option.why));
    note(name, option.why);
  }

  void note(const std::string& option, std::string_view why) {
    std::string text = option + " (" + std::string(why) + ")";
    if (!is_one_of(out_.without_effect, text)) out_.without_effect.push_back(std::move(text));
  }

  void serve(std::string_view option, const std::string& given) {
    if (makes(option) || compiles(option, given) || names_files(option, given)) return;
    if (option == "-v")
      out_.verbose = true;
    else if (option == "-V")
      out_.version = true;
    else if (option == "-h")
      out_.help = true;
    else if (option == "-run")
      out_.run = true;
    else if (option == "-run-args")
      append(out_.run_arguments, listed(given, ","));
    else if (option == "-Xcompiler")
      pass_to_compiler(given);
    else if (option == "-Xlinker")
      for (const std::string& w : listed(given, ",")) out_.inputs.push_back("-Wl," + w);
    else if (option.starts_with("-forward-unknown"))
      forwards_ = true;
  }

  bool makes(std::string_view option) {
    if (option == "-dc") out_.separate_device_code = true;
    if (option == "-dw") out_.separate_device_code = false;
    if (option == "-c" || option == "-dc" || option == "-dw")
      out_.makes = product::objects;
    else if (option == "-dlink")
      out_.makes = product::device_link;
    else if (option == "-shared")
      out_.makes = out_.makes == product::device_link ? out_.makes : product::shared_library;
    else if (option == "-lib")
      out_.makes = product::static_library;
    else if (option == "-E")
      out_.makes = product::text;
    else if (option == "-M" || option == "-MM")
      out_.makes = product::dependencies, out_.dependency_option = option;
    else
      return false;
    return true;
  }

  bool compiles(std::string_view option, const std::string& given) {
    if (option == "-std")
      out_.standard = at_least_17(given);
    else if (option == "-x")
      expect_cuda(given);
    else if (option == "-O")
      of_host("-O" + given, [] { return std::string(); });
    else if (option == "-w")
      out_.warnings.emplace_back("-w");
    else if (option == "-arch" || option == "-gencode")
      architecture(option, given);
    else if (option == "-rdc")
      out_.separate_device_code = given == "true";
    else if (option == "-fmad")
      contract(given);
    else if (option == "-expt-relaxed-constexpr")
      out_.relaxed_constexpr = true;
    else if (option == "-extended-lambda" || option == "-expt-extended-lambda")
      out_.extended_lambda = true;
    else if (option.starts_with("-ftemplate-"))
      out_.everywhere.push_back(std::string(option) + "=" + given);
    else
      return false;
    return true;
  }

  bool names_files(std::string_view option, const std::string& given) {
    if (option == "-o")
      out_.output = given;
    else if (option == "-odir")
      out_.output_folder = given;
    else if (option == "-I" || option == "-D" || option == "-U")
      out_.preprocessing.push_back(std::string(option) + given);
    else if (option == "-isystem" || option == "-include")
      append(out_.preprocessing, {std::string(option), given});
    else if (option == "-L")
      out_.linking.push_back("-L" + given);
    else if (option == "-l")
      library(given);
    else if (option == "-keep" || option == "-save-temps")
      out_.keep = out_.keep.empty() ? "." : out_.keep;
    else if (option == "-keep-dir")
      out_.keep = given;
    else if (option == "-MD" || option == "-MMD")
      out_.dependency_option = option;
    else if (option == "-MF")
      out_.dependency_file = given;
    else if (option == "-MP")
      out_.dependency_words.emplace_back(option);
    else if (option == "-MT" || option == "-MQ")
      append(out_.dependency_words, {std::string(option), given});
    else
      return false;
    return true;
  }

  /// `-Idir`: one word with its value.
  bool joined(const std::string& w) {
    if (w.starts_with("-t") && w.find_first_not_of("0123456789", 2) == std::string::npos) {
      note("-t", find_nvcc_option("-t")->why);
      return true;
    }
    for (const std::string_view option : {"-std", "-I", "-D", "-U", "-L", "-l", "-o", "-O", "-x"}) {
      if (!w.starts_with(option)) continue;
      serve(option, value(option, w));
      return true;
    }
    return false;
  }

  /// An option of g++'s. `value_behind` is asked for its value where that is another word.
  template <class Next>
  void of_host(const std::string& w, Next value_behind) {
    const host_option option = host_option_of(w);
    switch (option.treatment) {
      case host_treatment::everywhere:
        return out_.everywhere.push_back(w);
      case host_treatment::preprocessing:
        out_.preprocessing.push_back(w);
        if (takes_next_word(w)) out_.preprocessing.push_back(value_behind());
        return;
      case host_treatment::warning:
        return out_.warnings.push_back(w);
      case host_treatment::linking:
        return w.starts_with("-Wl,") ? out_.inputs.push_back(w) : out_.linking.push_back(w);
      case host_treatment::standard:
        out_.standard = at_least_17(w.substr(5));
        return;
      case host_treatment::satisfied:
        return;
      case host_treatment::verbose:
        out_.show_search = true;
        return;
      case host_treatment::noted:
        return note(w, option.why);
      case host_treatment::refused:
        throw usage_error(w + " " + std::string(option.why));
      case host_treatment::plain_alone:
        not_for_cuda_.emplace_back(w, option.why);
        return plain(w);
      case host_treatment::plain:
        return plain(w);
    }
  }

  void plain(const std::string& w) {
    const bool of_compiler = w.starts_with("-f") || w.starts_with("-m") || w.starts_with("-g") || w.starts_with("-O") ||
                             w.starts_with("-Wa,") || w.starts_with("-Wp,") || w.starts_with("-pedantic");
    if (!of_compiler && !forwards_ && !behind_xcompiler_)
      throw usage_error("the option " + w + " is unknown. simtcc --help lists what there is");
    out_.host_options.push_back(w);
    if (w == "--coverage") out_.linking.push_back(w);
  }

  void pass_to_compiler(std::string list) {
    if (list.size() > 1 && list.front() == '"' && list.back() == '"') list = list.substr(1, list.size() - 2);
    const std::vector<std::string> given = listed(list, ", ");
    behind_xcompiler_ = true;
    for (std::size_t i = 0; i < given.size(); ++i)
      of_host(given[i], [&] {
        if (i + 1 == given.size()) throw usage_error("-Xcompiler " + given[i] + " needs a value: -Xcompiler A,B");
        return given[++i];
      });
    behind_xcompiler_ = false;
  }

  void input(const std::string& w) {
    const std::string library = library_of(w);
    if (is_one_of(own_libraries, library)) return;
    if (!library.empty() && is_missing(library)) throw usage_error(missing_library(library) + "Remove " + w);
    for (const std::string_view ending : gpu_code_endings)
      if (w.ends_with(ending))
        throw usage_error(w +
                          " is code for a GPU, and the emulator runs none. Give simtcc the source that it was made of");
    out_.inputs.push_back(w);
  }

  void library(const std::string& name) {
    if (is_missing(name)) throw usage_error(missing_library(name) + "Remove -l" + name);
    if (!is_one_of(own_libraries, name)) out_.inputs.push_back("-l" + name);
  }

  static bool is_missing(std::string_view library) {
    return std::any_of(missing.begin(), missing.end(), [&](std::string_view m) { return library.starts_with(m); });
  }

  static std::string missing_library(const std::string& name) {
    return "the library " + name + " is not part of the emulator, which runs your own kernels only. ";
  }

  bool is_program_option(const std::string& w) {
    for (const program_option& o : program_options) {
      if (name_of(w) != o.flag) continue;
      const std::string given = value(o.flag, w);
      if (given.empty() || given.find('\n') != std::string::npos) throw usage_error(w + " needs a value");
      if ((o.flag == "--workers" || o.flag == "--error-exitcode") &&
          given.find_first_not_of("0123456789") != std::string::npos)
        throw usage_error(std::string(o.flag) + " takes a number, not \"" + given + "\"");
      if ((o.flag == "--checks" || o.flag == "--counters") && given != "on" && given != "off")
        throw usage_error(std::string(o.flag) + " is on or off, not \"" + given + "\"");
      if (o.flag == "--error-exitcode" && (given.size() > 3 || std::stoi(given) > 255))
        throw usage_error("--error-exitcode takes 0 to 255, as exit codes go, not " + given);
      if (o.flag == "--gpu" && find_gpu(given) == nullptr)
        throw usage_error("--gpu is one of " + gpu_keys() + ", not \"" + given + "\"");
      out_.program_options.push_back(std::string(o.variable) + "=" + given);
      return true;
    }
    return false;
  }

  /// Of `arch=compute_70,code=sm_80` the first counts: what the source is compiled for.
  void architecture(std::string_view option, const std::string& text) {
    const std::vector<int> named = architectures_in(option, text);
    if (!named.empty()) architectures_.push_back(named.front());
  }

  /// Of several architectures a GPU runs the newest that it can; without any the source is compiled for the emulated GPU.
  void choose_architecture() {
    const gpu_model* gpu = gpu_models().data();
    for (const std::string& option : out_.program_options)
      if (option.starts_with("SIMTLAB_GPU="))
        if (const gpu_model* named = find_gpu(std::string_view(option).substr(12))) gpu = named;
    const int emulated = gpu->major * 100 + gpu->minor * 10;
    std::sort(architectures_.begin(), architectures_.end());
    const auto newer = std::upper_bound(architectures_.begin(), architectures_.end(), emulated);
    out_.cuda_arch = architectures_.empty()            ? emulated
                     : newer == architectures_.begin() ? architectures_.front()
                                                       : *(newer - 1);
  }

  /// What g++ makes nothing of is nvcc's where it makes the kernels' code.
  void finish_engine() {
    if (!architectures_.empty()) out_.gpu_code_architecture = architectures_.back() / 10;
    if (!out_.gpu_code) return;
    std::erase_if(out_.without_effect, [](const std::string& note) {
      const nvcc_option* const option = find_nvcc_option(std::string_view(note).substr(0, note.find(' ')));
      return option != nullptr && is_one_of(of_gpu_code, option->name);
    });
    if (out_.separate_device_code)
      throw usage_error(
          "--engine sass compiles each file's device code by itself, so that -dc and -rdc=true are not for "
          "it. Put the device code into one file, or leave --engine sass away");
  }

  void engine(const std::string& given) {
    if (given != "sass" && given != "g++")
      throw usage_error(
          "--engine=" + given +
          " is none: g++ (the default) compiles kernels for this machine, sass lets nvcc compile them for a "
          "GPU and executes what it made");
    out_.gpu_code = given == "sass";
  }

  void for_debugger() {
    out_.for_debugger = true;
    for (const char* option : {"SIMTLAB_CHECKS=off", "SIMTLAB_COUNTERS=off"}) out_.program_options.emplace_back(option);
  }

  /// `--keep DIR` of simtcc, `--keep` of nvcc: a folder is no option and no file that simtcc reads.
  void keep(const std::string& w) {
    const bool folder =
        at_ + 1 < words_.size() && words_[at_ + 1][0] != '-' && words_[at_ + 1].find(".c") == std::string::npos;
    out_.keep = folder || w != "--keep" ? value("--keep", w) : ".";
  }

  /// nvcc's forms: `-Werror all-warnings`, `-Werror=reorder`. simtcc's errors include what nvcc would only warn of.
  void warnings_are_errors(const std::string& w) {
    const std::size_t equal = w.find('=');
    std::string kinds = equal == std::string::npos ? "" : w.substr(equal + 1);
    if (kinds.empty() && at_ + 1 < words_.size() && words_[at_ + 1].ends_with("-warnings")) kinds = words_[++at_];
    if (kinds.empty() || kinds == "all-warnings") {
      out_.warnings.emplace_back("-Werror");
      return;
    }
    constexpr std::array<std::string_view, 5> of_nvcc{"cross-execution-space-call", "default-stream-launch",
                                                      "ext-lambda-captures-this", "missing-launch-bounds",
                                                      "deprecated-gpu-targets"};
    for (const std::string& kind : listed(kinds, ","))
      if (is_one_of(of_nvcc, kind))
        note("-Werror=" + kind, "it is about nvcc's own diagnostics");
      else
        out_.warnings.push_back("-Werror=" + kind);
  }

  void contract(const std::string& given) {
    if (given != "true" && given != "false") throw usage_error("-fmad=" + given + " is neither true nor false");
#ifdef __x86_64__
    if (given == "true" && !__builtin_cpu_supports("fma"))
      throw usage_error(
          "-fmad=true needs a processor that multiplies and adds in one step (FMA), and this one has no such "
          "instruction. Leave -fmad away: results are right, their last digits may differ from a GPU's");
#endif
    out_.contracts = given == "true";
  }

  void expect_cuda(const std::string& language) {
    if (language != "cu") throw usage_error("-x " + language + " is not supported: a file's ending says what it is");
    out_.all_cuda = true;
  }

  static void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  const std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::vector<int> architectures_;
  std::vector<std::pair<std::string, std::string_view>> not_for_cuda_;  ///< options of plain C++ files, and why
  bool forwards_ = false;                                               ///< g++ gets options that nobody knows
  bool behind_xcompiler_ = false;                                       ///< the same, for one option
  command_line out_;
};

}  // namespace

command_line parse_command_line(const std::vector<std::string>& words) {
  return parser(with_response_files(words)).run();
}

}  // namespace simtlab::emulator

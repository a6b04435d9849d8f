#include "driver/front_end.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "driver/compiler.h"
#include "driver/diagnostics.h"
#include "driver/expanded_text.h"
#include "driver/front_end_source.h"
#include "driver/process.h"
#include "driver/text_pattern.h"
#include "translator/file_content.h"
#include "translator/lexer.h"
#include "translator/refusal.h"
#include "translator/restrictions.h"

namespace simtlab::emulator {
namespace {

/// What simtcc adds where it asks clang itself: with clang's builtin headers by name, and errors alone.
std::vector<std::string> clang_words(const command_line& options, const installation& where,
                                     const cuda_front_end& clang) {
  std::vector<std::string> words{clang.program};
  append(words, clang_cuda_words(options, where, "-isystem"));
  append(words, {"-idirafter", clang.headers.string(), "-nobuiltininc", "-fsyntax-only", "-w", "-fno-color-diagnostics",
                 "-ferror-limit=0"});
  append(words, options.preprocessing);
  return words;
}

/// By all that its contents depend on, but for the headers: the build makes it anew with them.
std::filesystem::path precompiled_file(const installation& where, const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& w : words) all += w + '\n';
  return where.precompiled / ("front-end-" + std::to_string(std::hash<std::string>{}(all)) + ".pch");
}

bool is_nvcc(const cuda_front_end& f) { return std::filesystem::path(f.program).filename() == "nvcc"; }

int number(const std::string& digits) { return digits.empty() ? 0 : std::stoi(digits.substr(0, 9)); }

/// An error of clang's that states a rule of CUDA, and what a student reads of it. `$1` is what the first parenthesis took.
struct counted_error {
  text_pattern pattern;
  const char* text;
  bool of_call = false;  ///< where the name `$1` is called; its address may be taken
};

const std::vector<counted_error>& counted_errors() {
  static const std::vector<counted_error> all{
      {text_pattern("reference to __device__ function '(.*)' in __host__ function"),
       "host code calls '$1', which is a `__device__` function. Only kernels and `__device__` functions may call it: "
       "move the "
       "call into a kernel, or make it `__host__ __device__`",
       true},
      {text_pattern("reference to __host__ variable '(.*)' in __(device|global|host__ __device)__ function"),
       "device code uses '$1', which is a host variable: device code cannot reach it. Pass its value as an argument of "
       "the "
       "kernel, or declare it `__device__` or `__constant__` and fill it with cudaMemcpyToSymbol"},
      {text_pattern("call to global function '?([^']*)'? not configured"),
       "the kernel '$1' is called without a launch configuration. Write $1<<<blocks, threads>>>(…)"},
      {text_pattern("kernel call to non-global function '?([^']*)'?"),
       "'$1' is launched, but it is no kernel. Write `__global__` before its declaration"},
      {text_pattern("kernel function type '(.*)' must have void return type"),
       "a kernel returns a value ($1), but a kernel has nobody to return to. Write `__global__ void`, and store the "
       "result "
       "through a pointer that the kernel gets"},
      {text_pattern("kernel function '?([^']*)'? must be a free function or static member function"),
       "the kernel '$1' is a member of an object. Make it a function of its own"},
      {text_pattern("__(global|host)__ function '?([^']*)'? cannot overload __(global|host)__ function .*"),
       "'$2' is declared both with and without `__global__`. Write `__global__` in each of its declarations"},
      {text_pattern("'__(global|device|host|shared|constant)__' and '(.*)' attributes are not compatible"),
       "two qualifiers that exclude each other, one of them '$2'. Keep the one that is meant"},
      {text_pattern("cannot use variable-length arrays in __(device|global|host__ __device)__ functions?"),
       "an array of a size that is known only when the kernel runs. Give it a constant size, or use extern __shared__"},
      {text_pattern("cannot use '(.*)' in __(device|global|host__ __device)__ function"),
       "device code cannot '$1': exceptions exist on the host alone. Return an error through memory, or use __trap()"},
      {text_pattern("__shared__ local variables not allowed in __host__ functions?"),
       "a host function declares a `__shared__` variable. Shared memory is a block's: declare it in a kernel"},
      {text_pattern("initialization is not supported for __shared__ variables\\.?"),
       "a `__shared__` variable has an initialiser, which no thread would run. Assign its value in the kernel, then "
       "__syncthreads()"},
      {text_pattern("dynamic initialization is not supported for __device__, __constant__,.* variables\\.?"),
       "a variable of the device needs code to be initialised, and nobody runs it. Give it a constant, or fill it with "
       "cudaMemcpyToSymbol"},
  };
  return all;
}

std::string filled(std::string text, const std::vector<std::string>& parts) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string place = "$" + std::to_string(i);
    for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + parts[i].size()))
      text.replace(at, place.size(), parts[i]);
  }
  return text;
}

/// Whether the name at `column` of the line that clang shows is called: `f(`, `f<int>(`, or no name of a function, as in `A a`.
bool is_called(std::string_view line, std::size_t column, std::string_view name) {
  if (column == 0 || column > line.size()) return true;
  std::size_t at = column - 1;
  const std::size_t begin = at;
  while (at < line.size() && is_in_name(line[at])) ++at;
  const std::string_view written = line.substr(begin, at - begin);
  if (written.empty() || !name.starts_with(written)) return true;
  while (at < line.size() && line[at] == ' ') ++at;
  return at < line.size() && (line[at] == '(' || line[at] == '<');
}

/// `text`, directives carried out, with its macros replaced. The text is kept in `file`.
std::string expanded(const std::string& text, const command_line& options, const installation& where,
                     const std::filesystem::path& file) {
  write_file(file, text);
  const std::filesystem::path result = file.string() + ".expanded";
  expand_macros(file, result, options, where, {"-dD"});
  return read_file(result);
}

/// Writes what a front end reads of `source` into `folder`.
std::filesystem::path written_for_front_end(const command_line& options, const installation& where,
                                            const std::filesystem::path& source,
                                            const std::filesystem::path& preprocessed,
                                            const std::filesystem::path& folder) {
  const std::string text = read_file(preprocessed);
  const std::string kept =
      expanded(with_qualifiers_kept(text, source.string()), options, where, folder / "front-end.kept.ii");
  if (const auto strings = strings_of(kept);
      hold_qualifiers(strings) && strings != strings_of(expanded(text, options, where, folder / "front-end.plain.ii")))
    throw refusal(source.string(), 0, 0,
                  std::string(not_allowed) + "a macro that makes text of a CUDA qualifier, by `#`",
                  "Each compiler makes another text of it: write the text itself");
  std::filesystem::path file = folder / "front-end.cu";
  write_file(file,
             front_end_source(kept, where.include.string(), [](const std::string& own) { return read_file(own); }));
  return file;
}

}  // namespace

std::vector<std::string> clang_cuda_words(const command_line& options, const installation& where,
                                          const std::string& include_option) {
  std::vector<std::string> words{"-x",
                                 "cuda",
                                 "--cuda-device-only",
                                 "--cuda-gpu-arch=sm_70",
                                 "-nocudainc",
                                 "-nocudalib",
                                 "-Xclang",
                                 "-fcuda-allow-variadic-functions",
                                 "-D__NVCC__=1",
                                 "-std=" + options.standard,
                                 "-isystem",
                                 (where.include / "clang").string(),
                                 include_option,
                                 where.include.string()};
  if (!options.relaxed_constexpr) append(words, {"-Xclang", "-fno-cuda-host-device-constexpr"});
  append(words, {"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=" + std::to_string(options.cuda_arch)});
  append(words, where.course_header());
  return words;
}

std::vector<std::string> nvcc_words(const command_line& options, const installation& where,
                                    const std::string& program) {
  constexpr int oldest = 75;  // of CUDA 13
  std::string standard = options.standard;
  if (standard.starts_with("gnu")) standard.replace(0, 3, "c");  // nvcc's word for both
  std::vector<std::string> words{program,
                                 "-x",
                                 "cu",
                                 "-w",
                                 "-std=" + standard,
                                 "-arch=sm_" + std::to_string(std::max(oldest, options.cuda_arch / 10)),
                                 "-Xcompiler"};
  std::string host;
  for (const std::string& word : where.course_header()) host += (host.empty() ? "" : ",") + word;
  words.push_back(host);
  if (options.relaxed_constexpr) words.emplace_back("--expt-relaxed-constexpr");
  if (options.extended_lambda) words.emplace_back("--extended-lambda");
  append(words, options.preprocessing);
  return words;
}

std::vector<front_end_error> errors_of_clang(const std::string& text, const std::string& own_headers) {
  static const text_pattern error("(.*):([0-9]+):([0-9]+): error: (.*)");
  std::vector<front_end_error> found;
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find(": error: ") == std::string::npos) continue;
    const std::vector<std::string> said = error.parts_of(lines[i]);
    if (said.empty()) continue;
    const front_end_error at{said[1], number(said[2]), number(said[3]), {}, false};
    if (at.file.starts_with(own_headers)) continue;
    for (const counted_error& c : counted_errors()) {
      const std::vector<std::string> names = c.pattern.parts_of(said[4]);
      if (names.empty()) continue;
      const std::string_view shown = i + 1 < lines.size() ? std::string_view(lines[i + 1]) : std::string_view();
      if (!c.of_call || is_called(shown, static_cast<std::size_t>(at.column), names[1]))
        found.push_back({at.file, at.line, at.column, filled(c.text, names), c.of_call});
      break;
    }
  }
  return found;
}

std::vector<front_end_error> errors_of_nvcc(const std::string& text) {
  // `kernel.cu(12): error: …`, `kernel.cu:12:3: error: …` of the host's compiler, `ptxas error   : …`
  static const text_pattern placed(R"((.*[^0-9:])(\(([0-9]+)\)|:([0-9]+)(:[0-9]+)?): (fatal )?error( #[0-9]+)?: (.*))");
  static const text_pattern from_host(R"(.*calling a __device__ function\(.*\) from a __host__ function.*)");
  static const text_pattern unplaced("(ptxas|nvlink|nvcc)( .*)? (error|fatal) *: (.*)");
  std::vector<front_end_error> found;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (const auto said = placed.parts_of(line); !said.empty())
      found.push_back({said[1], number(said[3].empty() ? said[4] : said[3]), 0, said[8], from_host.matches(line)});
    else if (const auto tool_said = unplaced.parts_of(line); !tool_said.empty())
      found.push_back({"", 0, 0, tool_said[4], false});
  }
  return found;
}

front_end::front_end(const command_line& options, const installation& where, const cuda_front_end& asked,
                     const std::filesystem::path& source, const std::filesystem::path& preprocessed,
                     bool asks_for_architecture, const std::filesystem::path& folder)
    : name_(asked.name), is_nvcc_(is_nvcc(asked)), own_headers_(where.include.string()) {
  const std::string text = written_for_front_end(options, where, source, preprocessed, folder).string();
  if (is_nvcc_) {
    std::vector<std::string> words = nvcc_words(options, where, asked.program);
    if (asks_for_architecture) {
      std::vector<std::string> as_written = words;
      append(as_written, {"-c", source.string(), "-o", (folder / "front-end.o").string()});
      processes_.emplace_back(as_written);
    }
    // -cuda: all but the host's compiler, which has read the program already
    append(words, {asks_for_architecture ? "-cubin" : "-cuda", text, "-o", (folder / "front-end.text.o").string()});
    processes_.emplace_back(words);
    return;
  }
  std::vector<std::string> words = clang_words(options, where, asked);
  const std::filesystem::path parsed = precompiled_file(where, words);
  if (std::filesystem::exists(parsed))
    append(words, {"-Xclang", "-include-pch", "-Xclang", parsed.string()});
  else
    append(words, {"-include", "cuda_runtime.h"});
  words.push_back(text);
  processes_.emplace_back(words);
}

std::string front_end::finish(const source_lines& lines_by_arch, std::string& problem) {
  std::string said;
  std::vector<std::string> seen;
  for (started_process& reading : processes_) {
    const process_result result = reading.finish();
    if (result.exit_code >= 128) problem = name_ + " was stopped (exit code " + std::to_string(result.exit_code) + ")";
    if (result.exit_code == 0 || result.exit_code >= 128) continue;
    const auto errors = is_nvcc_ ? errors_of_nvcc(result.errors) : errors_of_clang(result.errors, own_headers_);
    if (is_nvcc_ && errors.empty()) problem = name_ + " says: " + result.errors.substr(0, 400);
    if (result.errors.find("fatal error: ") != std::string::npos && errors.empty())
      problem = name_ + " stopped early: " + result.errors.substr(0, 400);
    for (const front_end_error& e : errors) {
      if (e.from_host && lines_by_arch.contains({e.file, static_cast<std::uint32_t>(e.line)})) continue;
      std::string text = diagnostic(e.file.empty() ? "nvcc" : e.file, e.line, e.column, "error",
                                    e.message + " (" + name_ + " refuses it)" + (is_nvcc_ ? "" : "."));
      if (std::find(seen.begin(), seen.end(), text) != seen.end()) continue;
      said += text;
      seen.push_back(std::move(text));
    }
  }
  processes_.clear();
  return said;
}

void front_end::precompile(const command_line& options, const installation& where, const cuda_front_end& asked,
                           const std::filesystem::path& folder) {
  if (is_nvcc(asked)) return;
  std::vector<std::string> words = clang_words(options, where, asked);
  const std::filesystem::path header = where.include / "cuda_runtime.h", kept = precompiled_file(where, words),
                              made = folder / "front-end.pch";
  append(words, {"-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", made.string(), header.string()});
  const process_result result = run_process(words);
  if (result.exit_code != 0) throw std::runtime_error("clang's CUDA refuses the emulator's headers:\n" + result.errors);
  std::filesystem::create_directories(where.precompiled);
  std::filesystem::copy_file(made, kept, std::filesystem::copy_options::overwrite_existing);
}

}  // namespace simtlab::emulator

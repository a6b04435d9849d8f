#include "driver/compiler.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <string_view>
#include <system_error>

#include "driver/diagnostics.h"
#include "driver/expanded_text.h"
#include "driver/gpu_code.h"
#include "driver/machine_fault.h"
#include "driver/precompiled_headers.h"
#include "driver/process.h"
#include "driver/skipped_text.h"
#include "driver/unasked_warnings.h"
#include "spaces/placed_variables.h"
#include "translator/arch_branches.h"
#include "translator/assembly_rewriter.h"
#include "translator/file_content.h"
#include "translator/host_addresses.h"
#include "translator/source_translator.h"

namespace simtlab::emulator {
namespace {

/// A course's file has some hundred lines; what is larger is no kernel.
constexpr std::uintmax_t largest_source = 4U << 20;

/// The one way to compile device code, for which the counters are defined: every access stays one access (no scalar
/// replacement), every block stays in place and one (no reordering, no merging of equal tails, no copy of what follows a
/// branch for a later branch on the same condition: a barrier in it would become two), and no access moves into a branch or
/// out of one, so that the trace is the source's. docs/internals/trace.md has the reason and the test of each word. Of debug
/// information lines and inlined functions are read, and not where a variable lies, which takes g++ longest to say.
const std::vector<std::string> instrumentation{"-g",
                                               "-fno-var-tracking",
                                               "-O1",
                                               "-fno-tree-sra",
                                               "-fno-ipa-sra",
                                               "-fno-ipa-cp",
                                               "-fno-reorder-blocks",
                                               "-fno-crossjumping",
                                               "-fno-tree-tail-merge",
                                               "-fno-thread-jumps",
                                               "-fno-tree-cselim",
                                               "-fno-tree-phiprop",
                                               "-fno-tree-sink",
                                               "-fno-tree-bit-ccp",
                                               "-fno-ivopts",
                                               "--param=logical-op-non-short-circuit=0",
                                               "--param=max-completely-peel-times=0",
                                               "-fno-section-anchors",
                                               "-ffp-contract=off",
                                               "-fno-allocation-dce",
                                               "-fno-builtin-free",
                                               "-fno-builtin-malloc",
                                               "-fno-builtin-memset",
                                               "-fno-builtin-printf",
                                               "-fno-builtin-vprintf",
                                               "-fno-gnu-unique",
                                               "-fno-common",
                                               "-fno-stack-protector",
                                               "-fno-stack-clash-protection",
                                               "-ftrivial-auto-var-init=pattern",
                                               "-fsanitize=thread",
                                               "--param=tsan-distinguish-volatile=1",
                                               "-fsanitize-coverage=trace-pc",
                                               "-fsanitize=bounds-strict",
                                               "-fsanitize-recover=bounds-strict",
                                               "-fsanitize=return"};

#ifdef __x86_64__
/// For the accesses that the instrumentation leaves out (translator/missing_hooks.h): what each instruction accesses, and no
/// copy by an instruction of which g++ no longer says it.
/// Guards push registers (translator/guards.h), so that nothing may lie below the stack pointer.
const std::vector<std::string> notes{"-dP", "-mno-red-zone", "-mmemcpy-strategy=libcall:-1:noalign",
                                     "-mmemset-strategy=libcall:-1:noalign"};
#else
const std::vector<std::string> notes;
#endif

/// For -fmad=true. g++ joins a product and a sum only with the second option; the others leave structures in pieces of 16 bytes,
/// as without AVX.
const std::vector<std::string> contraction{"-ffp-contract=fast",
                                           "-fexpensive-optimizations",
#ifdef __x86_64__
                                           "-mfma",
                                           "-mprefer-vector-width=128",
                                           "-mmove-max=128",
                                           "-mstore-max=128"
#endif
};

/// The same program for somebody who steps through it.
const std::vector<std::string> for_stepping{"-g",
                                            "-O0",
                                            "-ffp-contract=off",
                                            "-fno-common",
                                            "-fno-stack-protector",
                                            "-ftrivial-auto-var-init=pattern",
                                            "-fno-builtin-printf",
                                            "-fno-builtin-vprintf"};

void check_readable(const std::filesystem::path& source) {
  std::error_code error;
  const auto status = std::filesystem::status(source, error);
  if (!std::filesystem::exists(status))
    throw program_error(source.string() + ": error: there is no such file. Check the name and the folder.\n");
  if (!std::filesystem::is_regular_file(status))
    throw program_error(source.string() + ": error: this is not a file that can be compiled.\n");
  const std::uintmax_t bytes = std::filesystem::file_size(source, error);
  if (bytes > largest_source)
    throw program_error(source.string() + ": error: the file has " + std::to_string(bytes) +
                        " bytes; source files of up to " + std::to_string(largest_source) +
                        " are accepted. Did something else get this name?\n");
  const std::string text = read_file(source);
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)
    throw program_error(source.string() + ": error: byte " + std::to_string(zero + 1) +
                        " is zero, so this is not a text file. Save the source as UTF-8 text.\n");
}

/// What nvcc predefines and programs ask for.
std::vector<std::string> macros_of_nvcc(const installation& where) {
  const std::string version = where.nvcc_version();
  const std::size_t dot = std::min(version.find('.'), version.size() - 1);
  return {"-D__CUDACC_VER_MAJOR__=" + version.substr(0, dot), "-D__CUDACC_VER_MINOR__=" + version.substr(dot + 1),
          "-D__CUDACC_VER_BUILD__=0", "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1"};
}

}  // namespace

compiler::compiler(const command_line& options, const installation& where, std::filesystem::path folder)
    : options_(options), installation_(where), folder_(std::move(folder)) {}

bool compiler::is_cuda(const std::filesystem::path& source) const {
  return source.extension() == ".cu" || (options_.all_cuda && source.extension() != ".c");
}

bool compiler::is_source(const std::filesystem::path& source) {
  const auto e = source.extension();
  return e == ".cu" || e == ".cpp" || e == ".cc" || e == ".cxx" || e == ".C" || e == ".c";
}

std::filesystem::path compiler::intermediate(const std::filesystem::path& source, const char* ending) const {
  return folder_ / (source.stem().string() + ending);
}

std::filesystem::path compiler::compile(const std::filesystem::path& source, const std::filesystem::path& object) {
  check_readable(source);
  if (!is_cuda(source)) {
    compile_plain(source, object);
    return object;
  }
  try {
    compile_cuda(source, object);
  } catch (const refusal& r) {
    throw program_error(
        diagnostic(r.file.empty() ? source.string() : r.file, r.line, r.column, "error", r.what() + std::string(".")));
  }
  return object;
}

bool compiler::is_accepted_as(const std::string& standard, const std::filesystem::path& source) const {
  command_line quiet = options_;
  quiet.standard = standard;
  quiet.warnings = {"-w"};
  quiet.expanded_text.clear();
  const std::filesystem::path folder = folder_ / standard;
  std::filesystem::create_directories(folder);
  compiler other(quiet, installation_, folder);
  const auto text = other.intermediate(source, ".translated.ii");
  try {
    write_file(text, other.translated(source));
  } catch (const program_error&) {
    return false;
  } catch (const refusal&) {
    return false;
  }
  std::vector<std::string> words = other.of_translated();
  append(words, {"-fsyntax-only", text.string()});
  return run_process(words).exit_code == 0;
}

std::string compiler::note_on_standard(const std::filesystem::path& source) const {
  constexpr std::array<std::string_view, 6> newer_than_17{"20", "2a", "23", "2b", "26", "2c"};
  const auto is_asked = [this](std::string_view end) { return options_.standard.ends_with(end); };
  if (std::ranges::any_of(newer_than_17, is_asked)) return "";
  // Without warnings, which may have been what was refused: -Werror is no matter of the language.
  if (!is_accepted_as("gnu++20", source) || is_accepted_as(options_.standard, source)) return "";
  return diagnostic(
      source.string(), 0, 0, "note",
      "this file is C++20, and is compiled as C++17, nvcc's default. Write it in C++17 (a template without "
      "a concept, say); whoever chooses the options may give `-std=c++20`.");
}

void compiler::show(const std::vector<std::string>& words) const {
  if (!options_.verbose) return;
  for (const auto& w : words) std::cerr << w << ' ';
  std::cerr << '\n';
}

void compiler::run(const std::vector<std::string>& words, const std::filesystem::path& source) {
  show(words);
  const process_result result = run_process(words);
  if (result.exit_code != 0) check_written(words, result.errors);
  tell(result, source);
}

void compiler::tell(const process_result& result, const std::filesystem::path& source) const {
  const bool as_it_is = options_.verbose || options_.show_search;  // build systems read what g++ says of itself
  const std::string shown =
      as_it_is
          ? result.errors
          : readable_diagnostics(result.errors, {installation_.include.string(), folder_.string(), options_.inputs});
  if (result.exit_code == 0) {
    std::cerr << shown;
    return;
  }
  if (result.exit_code >= 128 || result.errors.find("internal compiler error") != std::string::npos)
    throw program_error(shown + source.string() + ": error: the C++ compiler itself was stopped (exit code " +
                        std::to_string(result.exit_code) + "), by too little memory or time or a defect of its own.\n");
  throw program_error(shown);
}

std::vector<std::string> compiler::preprocessor() const {
  std::vector<std::string> words{installation_.compiler,
                                 "-E",
                                 "-x",
                                 "c++",
                                 "-std=" + options_.standard,
                                 "-D__CUDACC__=1",
                                 "-D__NVCC__=1",
                                 "-D__CUDA_ARCH__=" + std::to_string(options_.cuda_arch),
                                 "-fdiagnostics-color=never",
                                 "-isystem",
                                 installation_.include.string(),
                                 "-include",
                                 "cuda_runtime.h"};
  append(words, installation_.course_header());
  append(words, macros_of_nvcc(installation_));
  if (options_.contracts) words.emplace_back("-DSIMTLAB_CONTRACTED");
  append(words, options_.everywhere);
  append(words, options_.preprocessing);
  if (options_.show_search) words.emplace_back("-v");
  return words;
}

std::vector<std::string> compiler::dependencies_of(const std::filesystem::path& source) const {
  if (options_.dependency_option.empty()) return {};
  std::filesystem::path target = source.stem().string() + ".o";
  if (!options_.output.empty()) target = options_.output;
  std::filesystem::path file = target;
  file.replace_extension(".d");
  if (!options_.dependency_file.empty()) file = options_.dependency_file;
  std::vector<std::string> words{options_.dependency_option, "-MF", file.string()};
  append(words, options_.dependency_words);
  const auto names_target = [](const std::string& w) { return w == "-MT" || w == "-MQ"; };
  if (std::ranges::none_of(options_.dependency_words, names_target)) append(words, {"-MQ", target.string()});
  return words;
}

void compiler::list_dependencies(const std::filesystem::path& source) {
  check_readable(source);
  std::vector<std::string> words = preprocessor();
  words.push_back(options_.dependency_option);
  append(words, options_.dependency_words);
  if (!options_.output.empty() || !options_.dependency_file.empty())
    append(words, {"-MF", options_.dependency_file.empty() ? options_.output : options_.dependency_file});
  words.push_back(source.string());
  run(words, source);
}

void compiler::preprocess(const std::filesystem::path& source, const std::filesystem::path& text) {
  check_readable(source);
  std::vector<std::string> words = preprocessor();
  append(words, {source.string(), "-o", text.string()});
  run(words, source);
}

bool compiler::preprocessed_without_open_literals(const std::filesystem::path& source,
                                                  const std::filesystem::path& preprocessed) {
  const auto text = without_open_literals(read_file(source));
  if (!text) return false;
  const auto copy = intermediate(source, ".without-literals.cu");
  write_file(copy, "# 1 \"" + source.string() + "\"\n" + *text);
  std::vector<std::string> words = preprocessor();
  const std::filesystem::path folder = source.parent_path();
  append(words, {"-iquote", folder.empty() ? "." : folder.string(), "-fdirectives-only", copy.string(), "-o",
                 preprocessed.string()});
  if (run_process(words).exit_code != 0) return false;
  std::string left = read_file(preprocessed);
  if (const int line = line_of_open_literal(left); line != 0)
    throw program_error(diagnostic(source.string(), line, 0, "error",
                                   "a text or a character begins on this line and does not end on it: a closing "
                                   "quotation mark (\" or ') is missing."));
  for (std::size_t at = 0; (at = left.find(copy.string(), at)) != std::string::npos; at += source.string().size())
    left.replace(at, copy.string().size(), source.string());
  write_file(preprocessed, left);
  if (std::vector<std::string> rule = dependencies_of(source); !rule.empty()) {
    words = preprocessor();
    append(words, rule);
    append(words, {source.string(), "-o", "/dev/null"});
    run(words, source);
  }
  return true;
}

source_rules compiler::rules_of_source() const {
  if (options_.unrestricted) return source_rules::none;
  return options_.submission ? source_rules::submission : source_rules::own_program;
}

std::string compiler::translated(const std::filesystem::path& source) {
  const auto preprocessed = intermediate(source, ".ii");
  std::vector<std::string> words = preprocessor();
  append(words, dependencies_of(source));
  append(words, {"-fdirectives-only", source.string(), "-o", preprocessed.string()});
  if (!preprocessed_without_open_literals(source, preprocessed)) run(words, source);
  const std::string text = read_file(preprocessed);
  if (!options_.expanded_text.empty()) expand(text, source);
  const source_rules rules = rules_of_source();
  std::vector<std::pair<std::string, std::string>> own;  // names and texts
  pasted_pieces pieces;
  for (const std::string& file : own_files(text, source.string())) {
    own.emplace_back(file, read_file(file));
    pieces.add(own.back().second, file);
  }
  for (const auto& [file, written] : own) {
    if (rules == source_rules::submission) check_file(written, file, pieces);
    note_arch_branches(written, file);
  }
  return translate_source(text, source.string(), rules);
}

void compiler::expand(const std::string& text, const std::filesystem::path& source) const {
  auto file = intermediate(source, ".ii");
  if (const auto shorter = precompiled_headers(installation_.precompiled, of_translated())
                               .with_definitions_alone(text, source.string())) {
    file = intermediate(source, ".definitions.ii");
    write_file(file, *shorter);
  }
  expand_macros(file, options_.expanded_text, options_, installation_);
}

void compiler::note_arch_branches(const std::string& text, const std::string& file) {
  asks_for_architecture_ = asks_for_architecture_ || text.find("__CUDA_ARCH__") != std::string::npos;
  const arch_choices choices = arch_branches(text);
  for (const int line : choices.lines) lines_by_arch_.emplace(file, line);
  if (std::ranges::find(options_.warnings, "-w") != options_.warnings.end()) return;
  for (const arch_branch& b : choices.met_by_host) std::cerr << diagnostic(file, b.line, 0, "warning", b.message + ".");
}

std::vector<std::string> compiler::of_translated() const {
  std::vector<std::string> words{installation_.compiler,
                                 "-S",
                                 "-x",
                                 "c++",
                                 "-std=" + options_.standard,
                                 "-fno-pie",
                                 "-fdiagnostics-color=never",
                                 "-fno-diagnostics-show-option",
                                 "-fpreprocessed",
                                 "-fdirectives-only"};
  append(words, options_.for_debugger ? for_stepping : instrumentation);
  if (!options_.for_debugger) {
    if (options_.contracts) append(words, contraction);
    append(words, notes);
    words.push_back(installation_.headers_in_debug_information());
  }
  append(words, options_.everywhere);
  append(words, unasked_warnings(options_.warnings));
  append(words, options_.warnings);
  words.emplace_back("-Wno-unknown-pragmas");  // #pragma unroll
  words.emplace_back("-Wno-psabi");            // how an argument of 32 aligned bytes was handed over by older compilers
  return words;
}

void compiler::compile_translated(const std::string& text, const std::filesystem::path& source,
                                  const std::filesystem::path& assembly) {
  const precompiled_headers kept(installation_.precompiled, of_translated());
  std::vector<std::string> words;
  const auto compiled = [&](const std::string& translation) {
    const auto shortened = kept.shortened(translation, source.string());
    const auto file = intermediate(source, shortened ? ".shortened.ii" : ".translated.ii");
    write_file(file, shortened ? *shortened : translation);
    words = of_translated();
    append(words, {file.string(), "-o", assembly.string(), dump_option(intermediate(source, ".dump").string())});
    show(words);
    return run_process(words);
  };
  process_result result = compiled(text);
  const bool accepted = result.exit_code == 0;
  const bool stopped = result.exit_code >= 128 || result.errors.find("terminated program") != std::string::npos ||
                       result.errors.find("internal compiler error") != std::string::npos;
  if (stopped || (accepted && (result.errors.empty() || options_.warnings.empty()))) {
    if (stopped) check_written(words, result.errors);
    return tell(result, source);  // what stopped the compiler would only stop it once more
  }
  // Whatever somebody asked to be told about the source is told about its loops and shifts as they were written.
  const std::string preprocessed = read_file(intermediate(source, ".ii"));
  const auto with = [&](loop_passes passes, shift_amounts shifts) {
    return translate_source(preprocessed, source.string(), rules_of_source(), passes, shifts);
  };
  const std::string as_written = with(loop_passes::as_written, shift_amounts::as_written);
  if (as_written != text) result = compiled(as_written);
  if (result.exit_code != 0) check_written(words, result.errors);
  try {
    tell(result, source);
  } catch (const program_error& e) {
    throw program_error(note_on_standard(source) + e.what());
  }
  // A shift or a loop of which the translator knows less than g++ stays as it is.
  if (as_written == text || (accepted && compiled(text).exit_code == 0)) return;
  const std::string joined = with(loop_passes::joined, shift_amounts::as_written);
  if (joined != as_written && compiled(joined).exit_code == 0) return;
  compiled(as_written);  // g++ has removed what it wrote before
}

void compiler::precompile_headers() {
  const auto source = folder_ / "empty.cu", preprocessed = intermediate(source, ".ii"),
             expanded = intermediate(source, ".expanded.ii");
  const precompiled_headers kept(installation_.precompiled, of_translated());
  const auto keep_beginning_of = [&](const char* text) {
    write_file(source, text);
    kept.make(translated(source), source.string(), folder_);
  };
  if (options_.precompile_course_header) keep_beginning_of("#include <wb.h>\n");
  keep_beginning_of("");
  kept.remove_from_before(installation_.last_changed());
  expand_macros(preprocessed, expanded, options_, installation_, {"-dD"});
  kept.keep_definitions(read_file(preprocessed), read_file(expanded), source.string());
  for (const cuda_front_end& f : installation_.front_ends) front_end::precompile(options_, installation_, f, folder_);
}

void compiler::compile_cuda(const std::filesystem::path& source, const std::filesystem::path& object) {
  const auto assembly = intermediate(source, ".s");
  const auto rewritten = intermediate(source, ".rewritten.s");

  const std::string text = translated(source);
  write_file(intermediate(source, ".translated.ii"), text);
  std::optional<gpu_code> machine;
  if (options_.gpu_code) machine.emplace(options_, installation_, source, folder_);
  std::optional<front_end> real;
  if (const cuda_front_end* const asked = front_end_asked())
    real.emplace(options_, installation_, *asked, source, intermediate(source, ".ii"), asks_for_architecture_, folder_);
  compile_translated(text, source, assembly);
  std::string compiled = read_file(assembly);
  if (!options_.separate_device_code) compiled = with_internal_variables(compiled);
  const std::string with_tables = rewrite_assembly(compiled);
  const own_functions own = check_execution_spaces(source, compiled);
  const std::string finished =
      with_host_addresses(with_targets_apart(with_tables, own.for_hosts_alone), own.for_hosts_alone, own.for_devices);
  if (real) hear(*real);
  write_file(rewritten, machine ? finished + machine->finish() : finished);
  run({installation_.compiler, "-c", rewritten.string(), "-o", object.string()}, source);
}

const cuda_front_end* compiler::front_end_asked() const {
  if (!options_.front_end) return nullptr;
  for (const cuda_front_end& f : installation_.front_ends)
    if (options_.front_end->empty() || f.program == *options_.front_end) return &f;
  if (options_.front_end->empty()) return nullptr;
  std::string known;
  for (const cuda_front_end& f : installation_.front_ends) known += (known.empty() ? "" : " and ") + f.program;
  throw std::runtime_error(
      "--front-end=" + *options_.front_end + " is none of the CUDA front ends that the build found: " +
      (known.empty() ? "there is none" : known) + ". Configure simtlab again after installing one");
}

void compiler::hear(front_end& real) const {
  std::string problem;
  const std::string wrong = real.finish(lines_by_arch_, problem);
  if (!wrong.empty()) throw program_error(wrong);
  if (!problem.empty())
    std::cerr << "simtcc: warning: " << problem << "; only simtcc's own rules of CUDA were checked.\n";
}

own_functions compiler::check_execution_spaces(const std::filesystem::path& source, const std::string& assembly) {
  const std::string preprocessed = read_file(intermediate(source, ".ii"));
  const std::string text = read_file(intermediate(source, ".dump"));
  const lexed_source tokens = lex(preprocessed, source.string());
  const source_outline outline(tokens);
  const program_dump dump = read_dump(text);
  const checked_program program{dump,
                                outline,
                                installation_.include.string(),
                                placed_variables(code_of(assembly)),
                                lines_by_arch_,
                                options_.relaxed_constexpr,
                                options_.extended_lambda,
                                options_.separate_device_code};
  std::string wrong;
  for (const space_error& e : check_spaces(program))
    wrong += diagnostic(std::string(e.place.file), static_cast<int>(e.place.line), static_cast<int>(e.place.column),
                        "error", e.message + ".");
  if (!wrong.empty()) throw program_error(wrong);
  return own_functions_of(program);
}

void compiler::compile_plain(const std::filesystem::path& source, const std::filesystem::path& object) {
  if (!options_.expanded_text.empty()) preprocess(source, options_.expanded_text);
  std::vector<std::string> words{installation_.compiler, "-c", "-g", "-fno-pie", "-fdiagnostics-color=never"};
  if (source.extension() == ".c")
    append(words, {"-x", "c"});  // g++ takes every source for C++
  else
    words.push_back("-std=" + options_.standard);
  append(words, {"-isystem", installation_.include.string()});
  append(words, installation_.course_header());
  words.push_back(installation_.headers_in_debug_information());
  append(words, options_.host_options);
  append(words, options_.everywhere);
  append(words, options_.warnings);
  append(words, options_.preprocessing);
  if (options_.show_search) words.emplace_back("-v");
  append(words, dependencies_of(source));
  append(words, {source.string(), "-o", object.string()});
  run(words, source);
}

void compiler::assemble(const std::string& text, const std::filesystem::path& object, const char* name) {
  const std::filesystem::path assembly = folder_ / (std::string(name) + ".s");
  write_file(assembly, text + "\t.section .note.GNU-stack,\"\",@progbits\n");
  run({installation_.compiler, "-c", assembly.string(), "-o", object.string()}, assembly);
}

std::filesystem::path compiler::compile_program_options() {
  if (options_.program_options.empty()) return {};
  std::string text;
  for (const std::string& option : options_.program_options) text += option + "\n";
  std::string bytes;
  for (const char c : text) bytes += std::to_string(static_cast<unsigned char>(c)) + ",";
  std::filesystem::path object = folder_ / "program-options.o";
  assemble("\t.section .rodata\n\t.globl simtlab_program_options\nsimtlab_program_options:\n\t.byte " + bytes + "0\n",
           object, "program-options");
  return object;
}

void compiler::link(const std::vector<std::string>& objects, const std::filesystem::path& program) {
  // The linker's tables are read-only once the program runs.
  std::vector<std::string> words{installation_.compiler, "-no-pie", "-Wl,-z,relro,-z,now", "-o", program.string()};
  append(words, options_.linking);
  append(words, options_.everywhere);
  append(words, objects);
  if (const auto own = compile_program_options(); !own.empty()) words.push_back(own.string());
  words.push_back(installation_.course.string());
  append(words, installation_.link);
  if (options_.verbose) words.emplace_back("-v");
  run(words, objects.empty() ? program : std::filesystem::path(objects.front()));
}

void compiler::device_link(const std::filesystem::path& object) { assemble("", object, "device-link"); }

bool compiler::holds_device_code(const std::vector<std::string>& words) const {
  const auto holds = [](const std::filesystem::path& file) {
    return std::filesystem::is_regular_file(file) &&
           read_file(file).find(".rodata.simtlab_bundles") != std::string::npos;
  };
  return std::ranges::any_of(words, [&](const std::string& word) {
    if (word[0] != '-') return holds(word);
    return word.starts_with("-l") && std::ranges::any_of(options_.linking, [&](const std::string& folder) {
             const std::string name = folder.substr(2) + "/lib" + word.substr(2);
             return folder.starts_with("-L") && (holds(name + ".so") || holds(name + ".a"));
           });
  });
}

void compiler::link_host_library(const std::vector<std::string>& words, const std::filesystem::path& library) {
  std::vector<std::string> linker{installation_.compiler, "-shared", "-o", library.string()};
  append(linker, options_.linking);
  append(linker, options_.everywhere);
  append(linker, words);
  linker.push_back(installation_.course.string());
  run(linker, library);
}

void compiler::link_shared(const std::vector<std::string>& words, const std::filesystem::path& library) {
  const std::filesystem::path joined = folder_ / (library.stem().string() + ".o");
  std::vector<std::string> linker{installation_.compiler, "-r", "-nostdlib", "-o", joined.string()};
  for (const std::string& w : words)
    if (w[0] != '-') linker.push_back(w);  // what else it needs is linked with the program
  run(linker, library);
  archive({joined.string()}, library);
}

void compiler::archive(const std::vector<std::string>& words, const std::filesystem::path& library) {
  std::filesystem::remove(library);
  std::vector<std::string> archiver{"ar", "qcs", library.string()};
  append(archiver, words);
  run(archiver, library);
}

}  // namespace simtlab::emulator

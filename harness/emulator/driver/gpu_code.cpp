#include "driver/gpu_code.h"

#include <fstream>
#include <functional>
#include <sstream>
#include <system_error>

#include "driver/compiler.h"
#include "driver/diagnostics.h"
#include "driver/front_end.h"
#include "driver/inlined_calls.h"
#include "driver/machine_fault.h"
#include "driver/text_pattern.h"
#include "translator/file_content.h"

namespace simtlab::emulator {
namespace {

std::vector<std::string> words_for(const command_line& options, const installation& where, const gpu_toolchain& tools,
                                   const std::filesystem::path& source, const std::filesystem::path& cubin) {
  std::vector<std::string> words = nvcc_words(options, where, tools.nvcc.string());
  for (std::string& w : words)
    if (w.starts_with("-arch=")) w = "-arch=sm_" + std::to_string(options.gpu_code_architecture);
  append(words, options.gpu_code_options);
  append(words, {"-lineinfo", "-Xptxas=-v", "-ccbin", where.compiler, "-cubin", source.string(), "-o", cubin.string()});
  return words;
}

/// What nvcc, its tools and ptxas have against the program, as everything else is told.
std::string refusal_of(const std::string& said, const std::filesystem::path& source) {
  std::string text;
  for (const front_end_error& e : errors_of_nvcc(said))
    text += diagnostic(e.file.empty() ? source.string() : e.file, e.line, e.column, "error",
                       e.message + " (nvcc refuses it)");
  if (!text.empty()) return text;
  return source.string() + ": error: nvcc refuses it and says: " + (said.empty() ? "nothing\n" : said);
}

/// nvcc ends with 255 where ptxas refuses what it is given.
void check_ended(const process_result& result, const std::string& program) {
  constexpr int of_refusal = 255;
  const bool was_killed = result.errors.find("died due to signal") != std::string::npos;
  if (!was_killed && (result.exit_code < 128 || result.exit_code == of_refusal)) return;
  throw machine_fault(
      program + " was stopped (exit code " + std::to_string(result.exit_code) +
      "): by too little memory or time? Try again, or leave --engine sass away: the g++ engine needs no " + program);
}

/// What ptxas says of each function, in the lines of simtlab_machine_code.
std::string resources_in(const std::string& said) {
  static const text_pattern name("ptxas info *: Function properties for ([^ ]+)");
  static const text_pattern stack(
      " *([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads");
  static const text_pattern used("ptxas info *: Used ([0-9]+) registers.*");
  std::string result, function, bytes;
  std::istringstream in(said);
  for (std::string line; std::getline(in, line);) {
    if (const auto of = name.parts_of(line); !of.empty()) function = of[1];
    if (const auto of = stack.parts_of(line); !of.empty()) bytes = of[1] + " " + of[2] + " " + of[3];
    if (const auto of = used.parts_of(line); !of.empty() && !function.empty())
      result.append(function).append(" ").append(of[1]).append(" ").append(bytes).append("\n"), function.clear();
  }
  return result;
}

/// Whether a file is one of the toolkit's headers.
std::function<bool(const std::string&)> is_of_toolkit(const gpu_toolchain& tools) {
  std::error_code unknown;
  const std::filesystem::path root = std::filesystem::weakly_canonical(tools.nvcc, unknown).parent_path().parent_path();
  return [root](const std::string& path) {
    std::error_code none;
    const std::filesystem::path inside = std::filesystem::weakly_canonical(path, none).lexically_relative(root);
    return !inside.empty() && *inside.begin() != "..";
  };
}

std::string include_file(const std::filesystem::path& file) {
  return "\t.incbin \"" + std::filesystem::absolute(file).string() + "\"\n\t.balign 8\n";
}

}  // namespace

gpu_code::gpu_code(const command_line& options, const installation& where, const std::filesystem::path& source,
                   const std::filesystem::path& folder)
    : source_(source),
      cubin_(folder / (source.stem().string() + ".cubin")),
      tools_(gpu_toolchain::find(where)),
      nvcc_(words_for(options, where, tools_, source, cubin_)) {}

std::string gpu_code::finish() {
  const process_result compiled = nvcc_.finish();
  check_ended(compiled, "nvcc");
  if (compiled.exit_code != 0) throw program_error(refusal_of(compiled.errors, source_));
  const auto beside = [this](const char* ending) { return std::filesystem::path(cubin_).replace_extension(ending); };
  const std::filesystem::path listing = beside(".json"), lines = beside(".lines"), calls = beside(".calls"),
                              resources = beside(".resources");
  started_process of_lines({tools_.nvdisasm.string(), "-gi", "-c", cubin_.string()}, lines.string());
  const process_result read = run_process({tools_.nvdisasm.string(), "-json", "-g", cubin_.string()}, listing.string());
  check_ended(read, "nvdisasm");
  if (read.exit_code != 0)
    throw machine_fault(tools_.nvdisasm.string() + " cannot read what " + tools_.nvcc.string() +
                        " made: " + read.errors +
                        "Take both of one release of the CUDA Toolkit, 13.0 or later: make setup SASS=1 installs such");
  const bool has_lines = of_lines.finish().exit_code == 0;
  std::ofstream(resources) << resources_in(compiled.errors);
  const bool lines_are_known = content_of(listing).find("\"source-line\"") != std::string::npos;
  std::ofstream(calls) << (has_lines ? inlined_calls(content_of(lines), is_of_toolkit(tools_), !lines_are_known) : "");
  std::string sizes, files;
  for (const std::filesystem::path& file : {cubin_, listing, resources, calls}) {
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(std::filesystem::file_size(file));
    files += include_file(file);
  }
  return "\t.section simtlab_machine_code,\"a\",@progbits\n\t.balign 8\n\t.quad " + sizes + "\n" + files + "\t.text\n";
}

}  // namespace simtlab::emulator

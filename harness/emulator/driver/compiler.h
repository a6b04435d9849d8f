// From one CUDA source file to an object file: preprocess, translate, compile to assembly, rewrite it, assemble.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "driver/command_line.h"
#include "driver/front_end.h"
#include "driver/installation.h"
#include "driver/process.h"
#include "spaces/space_check.h"
#include "translator/restrictions.h"

namespace simtlab::emulator {

/// The program is wrong: exit code 1. `what()` is what to print, complete.
class program_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class compiler {
 public:
  /// `folder` receives the intermediate files.
  compiler(const command_line&, const installation&, std::filesystem::path folder);

  /// Returns the object file. Throws program_error.
  std::filesystem::path compile(const std::filesystem::path& source, const std::filesystem::path& object);
  /// Writes what is left of a CUDA source when its headers are pasted in and its macros replaced. Throws program_error.
  void preprocess(const std::filesystem::path& source, const std::filesystem::path& text);
  /// Parses the emulator's headers for all sources that are compiled with these options (precompiled_headers.h).
  void precompile_headers();
  /// Prints a rule for make: what a source includes. Throws program_error.
  void list_dependencies(const std::filesystem::path& source);
  /// Links `words` (objects, libraries) with the emulator into `program`. Throws program_error.
  void link(const std::vector<std::string>& words, const std::filesystem::path& program);
  /// Makes an object with nothing in it, as device code of all files is linked with the rest. Throws program_error.
  void device_link(const std::filesystem::path& object);
  /// Whether one of the objects and libraries among `words` was compiled of CUDA source, by the section that all these have.
  [[nodiscard]] bool holds_device_code(const std::vector<std::string>& words) const;
  /// Links `words`, which hold no device code, into a shared library as any other. It calls the CUDA of the program that is
  /// linked with it. Throws program_error.
  void link_host_library(const std::vector<std::string>& words, const std::filesystem::path& library);
  /// Joins `words` into one object in an archive, which programs link as they would a shared library. Throws program_error.
  void link_shared(const std::vector<std::string>& words, const std::filesystem::path& library);
  /// Throws program_error.
  void archive(const std::vector<std::string>& words, const std::filesystem::path& library);
  /// Whether simtcc translates this file.
  [[nodiscard]] bool is_cuda(const std::filesystem::path& source) const;
  /// Whether the file has to be compiled at all.
  static bool is_source(const std::filesystem::path& source);

 private:
  void compile_cuda(const std::filesystem::path& source, const std::filesystem::path& object);
  /// nullptr: none. Throws usage_error when one is asked for that there is not.
  [[nodiscard]] const cuda_front_end* front_end_asked() const;
  /// Throws program_error when the front end that was started refuses the program.
  void hear(front_end&) const;
  /// Preprocesses a source that has lone quotes in parts which the preprocessor skips (skipped_text.h); false where there are
  /// none, or where g++ has something else to say.
  bool preprocessed_without_open_literals(const std::filesystem::path& source,
                                          const std::filesystem::path& preprocessed);
  [[nodiscard]] source_rules rules_of_source() const;
  /// The source, preprocessed, checked and translated.
  std::string translated(const std::filesystem::path& source);
  /// Writes `text`, the source preprocessed, with macros replaced where the options say.
  void expand(const std::string& text, const std::filesystem::path& source) const;
  /// Warns of what host code takes of the device's (translator/arch_branches.h), and notes its lines.
  void note_arch_branches(const std::string& text, const std::string& file);
  /// The words that compile a translated text, but for its name and the output's.
  [[nodiscard]] std::vector<std::string> of_translated() const;
  /// Compiles the translated `text`, with precompiled headers where there are some. Most texts are right, and are compiled this
  /// once. What g++ has to say is about the source's loops and shifts as they were written. Throws program_error.
  void compile_translated(const std::string& text, const std::filesystem::path& source,
                          const std::filesystem::path& assembly);
  /// Throws program_error when the program breaks CUDA's rules for execution spaces (spaces/space_check.h).
  own_functions check_execution_spaces(const std::filesystem::path& source, const std::string& assembly);
  [[nodiscard]] std::vector<std::string> preprocessor() const;
  /// The words of g++'s that leave a rule for make beside the object of `source`, or none.
  [[nodiscard]] std::vector<std::string> dependencies_of(const std::filesystem::path& source) const;
  void assemble(const std::string& text, const std::filesystem::path& object, const char* name);
  /// The object that tells the program its options; empty when there are none.
  std::filesystem::path compile_program_options();
  void compile_plain(const std::filesystem::path& source, const std::filesystem::path& object);
  /// Prints a command where the options ask for it.
  void show(const std::vector<std::string>& words) const;
  /// Runs a step; a failure becomes a program_error, warnings go to stderr.
  void run(const std::vector<std::string>& words, const std::filesystem::path& source);
  void tell(const process_result&, const std::filesystem::path& source) const;
  /// Whether the source is correct in that dialect, whatever warnings it has.
  [[nodiscard]] bool is_accepted_as(const std::string& standard, const std::filesystem::path& source) const;
  /// A note where a program that g++ refuses is right in C++20, which this compilation is not; else empty.
  [[nodiscard]] std::string note_on_standard(const std::filesystem::path& source) const;
  [[nodiscard]] std::filesystem::path intermediate(const std::filesystem::path& source, const char* ending) const;

  const command_line& options_;
  const installation& installation_;
  std::filesystem::path folder_;
  source_lines lines_by_arch_;
  bool asks_for_architecture_ = false;  ///< some file mentions `__CUDA_ARCH__`
};

}  // namespace simtlab::emulator

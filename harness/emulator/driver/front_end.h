// A real CUDA front end's word about a source: clang's CUDA against the emulator's headers, else nvcc where the toolkit is.
//
// simtcc's own check (spaces/space_check.h) reads what g++ made of the program; a front end reads CUDA itself, in the text that g++'s
// preprocessor left for g++'s compiler (front_end_source.h). It runs beside
// g++'s compiler, generates nothing that is kept, and is heard when g++ and simtcc have nothing to say. nvcc's refusal counts as it is.
// Of clang's errors those count that state a rule of CUDA which nvcc has, too, about the program's own lines: what is C++ is
// g++'s to say, and in overload resolution clang follows rules of its own.
#pragma once

#include <filesystem>
#include <list>
#include <string>
#include <vector>

#include "driver/command_line.h"
#include "driver/installation.h"
#include "driver/process.h"
#include "spaces/program_dump.h"

namespace simtlab::emulator {

/// How clang reads CUDA against the emulator's headers, without the user's own options. clang compiles host and device code apart.
/// Its pass for the device reads host functions, too, with all rules of CUDA; what only the pass for the host refuses is among
/// simtcc's own rules (spaces/space_check.h). An editor's clangd reads kernels with the same words (compile_commands.h).
/// `include_option`: -isystem, or -I where the headers' names are to be completed.
[[nodiscard]] std::vector<std::string> clang_cuda_words(const command_line&, const installation&,
                                                        const std::string& include_option);

/// How nvcc reads the source of a program, without its name and the output's. `program` is the path of nvcc.
[[nodiscard]] std::vector<std::string> nvcc_words(const command_line&, const installation&, const std::string& program);

/// What a front end has against a program.
struct front_end_error {
  std::string file;
  int line = 0, column = 0;
  std::string message;
  bool from_host = false;  ///< host code calls a device function
};

/// nvcc's errors, those of its later tools without a place.
[[nodiscard]] std::vector<front_end_error> errors_of_nvcc(const std::string& text);
/// Those of clang's errors that count. `own_headers` is the folder of the emulator's.
[[nodiscard]] std::vector<front_end_error> errors_of_clang(const std::string& text, const std::string& own_headers);

class front_end {
 public:
  /// Starts it on what g++'s preprocessor left of `source` in `preprocessed` (front_end_source.h). `asks_for_architecture`: the
  /// program mentions `__CUDA_ARCH__`, so that text is the device's; nvcc then also reads `source` itself. `folder` takes what it
  /// writes. Throws `refusal`, and program_error where g++ cannot replace macros.
  front_end(const command_line&, const installation&, const cuda_front_end& asked, const std::filesystem::path& source,
            const std::filesystem::path& preprocessed, bool asks_for_architecture, const std::filesystem::path& folder);

  /// Waits, and returns what is to be said about the source, complete; empty: nothing. What keeps the front end from an answer,
  /// as too little memory, is no fault of the program's and goes to `problem`.
  /// `lines_by_arch`: host code that nvcc does not compile for the host.
  [[nodiscard]] std::string finish(const source_lines& lines_by_arch, std::string& problem);

  /// Lets a clang parse the emulator's headers for all programs with these options. Throws std::runtime_error.
  static void precompile(const command_line&, const installation&, const cuda_front_end&,
                         const std::filesystem::path& folder);

 private:
  std::string name_;
  bool is_nvcc_;
  std::string own_headers_;
  std::list<started_process> processes_;
};

}  // namespace simtlab::emulator

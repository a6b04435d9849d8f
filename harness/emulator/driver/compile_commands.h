// The compile database that tells an editor's clangd how to read CUDA sources: with clang's CUDA, against the emulator's headers.
//
// One entry per line, so that entries can be added without a reader of JSON; a database of another program is left alone. The words
// are those of the front end (front_end.h), but for clang's own builtin headers, which each clangd brings along.
// Format: https://clang.llvm.org/docs/JSONCompilationDatabase.html
#pragma once

#include <string>
#include <vector>

#include "driver/command_line.h"
#include "driver/installation.h"

namespace simtlab::emulator {

/// An entry: one line, without a comma behind it. `file` and `directory` are absolute.
[[nodiscard]] std::string compile_command(const std::string& directory, const std::string& file,
                                          const std::vector<std::string>& words);

/// The database `text` with `entries` in it; an entry of the same file is replaced. Throws std::invalid_argument where simtcc
/// did not write `text`.
[[nodiscard]] std::string with_compile_commands(const std::string& text, const std::vector<std::string>& entries);

/// Adds the sources among the inputs to `options.compile_commands`; what is no source is left out. Throws program_error where the
/// database is another program's or cannot be written.
void add_compile_commands(const command_line& options, const installation&);

}  // namespace simtlab::emulator

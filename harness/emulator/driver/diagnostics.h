// Makes g++'s messages speak of the student's file alone, and adds hints for the usual mistakes.
#pragma once

#include <string>
#include <vector>

namespace simtlab::emulator {

struct diagnostic_context {
  std::string include;               ///< the emulator's headers: messages there belong to the line that used them
  std::string folder;                ///< intermediate files: never shown
  std::vector<std::string> sources;  ///< files as the user named them
};

/// `text` is what g++ or the linker wrote to stderr. Notes about the emulator's own code are dropped, errors inside of it
/// are moved to the student's line, repeated messages are shown once, hints are added.
[[nodiscard]] std::string readable_diagnostics(const std::string& text, const diagnostic_context&);

/// One message in g++'s form, with the line of the file and a caret below it when the file can be read.
[[nodiscard]] std::string diagnostic(const std::string& file, int line, int column, const std::string& kind,
                                     const std::string& message);

}  // namespace simtlab::emulator

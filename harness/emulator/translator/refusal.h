// What the translator throws when a program uses what the emulator does not have, or what no compiler could read.
#pragma once

#include <stdexcept>
#include <string>

namespace simtlab::emulator {

/// Student's fault, or ours to support one day: shown as `file:line:column: error: found. advice`.
class refusal : public std::runtime_error {
 public:
  refusal(std::string file_name, int line_number, int column_number, const std::string& found,
          const std::string& advice)
      : std::runtime_error(found + ". " + advice),
        file(std::move(file_name)),
        line(line_number),
        column(column_number) {}

  std::string file;
  int line;    ///< 1-based; 0 when only the file is known
  int column;  ///< 1-based, in bytes
};

}  // namespace simtlab::emulator

// The programs of planted bugs, how a test runs one of them, and which finding each planted bug must give.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace simtlab::emulator::bugs {

struct printed_finding {
  std::string rule, severity, variable, first, second, kernel, message;
};

struct program_run {
  std::string output;
  int exit_code = 0;
  std::vector<printed_finding> findings;
};

/// A program of planted bugs: where it is, and its source.
struct program {
  const char* variable;
  const char* source;
};
inline constexpr program plain{"PLANTED_BUGS", PLANTED_BUGS_FOLDER "/planted_bugs.cu"};
inline constexpr program ordered{"PLANTED_ORDER", PLANTED_BUGS_FOLDER "/planted_order.cu"};
inline constexpr program killed{"KILLED_PROGRAMS", PLANTED_BUGS_FOLDER "/killed.cu"};

/// Runs the program with one of its bugs behind the words of `environment`, and reads what it prints.
program_run run(const program&, const char* bug, const std::string& environment = "");

struct expectation {
  const program& of;
  const char* bug;
  const char* rule;
  const char* variable;     ///< "" when the rule concerns no variable
  const char* marker;       ///< of the line at fault; "" when the finding has no line
  bool two_places = false;  ///< the second place is the line marked `NAME, second`
  const char* severity = "error";
};

/// All planted bugs that a program survives or is stopped for.
std::span<const expectation> expectations();

/// "planted_bugs.cu:17": the line that the marker marks.
std::string place(const program&, const std::string& marker);

}  // namespace simtlab::emulator::bugs

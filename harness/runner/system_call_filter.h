// What the process of a submission may ask of the system from the moment on that code of the submission can run, static
// initialisers included. The second line behind the audit, for code that reaches a system call all the same.
//
// Nothing is opened, sent, forked, executed, or mapped executable any more. Memory is had as malloc has it, and what belongs
// to the emulator, the runner or a library is neither unmapped nor protected otherwise nor written by the kernel on the
// program's behalf. Text goes to standard output and error alone. Two places in the code may do more: the emulator's calls
// for its own memory, and the runner's for files that it opened before (file_calls.h), among them the one that gives a
// result its name. So a program that leaves early, however, leaves no result behind.
//
// What is refused answers EPERM, as the sandbox does: honest code that asked for a locale or a device goes on.
#pragma once

#include <cstdint>
#include <vector>

#include "runner/filter_program.h"

namespace simtlab {

/// What the filter has to know of the process.
struct process_outline {
  std::uintptr_t file_calls = 0;    ///< where the runner's calls for files return to
  std::uintptr_t memory_calls = 0;  ///< where the emulator's calls for its memory return to
  int result_folder = -1;
  std::uintptr_t result_name = 0, unfinished_name = 0;  ///< the texts with which a result is renamed
  std::vector<closed_span> not_written;                 ///< by the kernel on the program's behalf
  bool threads = false;                                 ///< whether the emulator will start threads of its own
};

/// Everything that the loader has mapped, and the stack: what nobody unmaps or protects anew.
[[nodiscard]] std::vector<closed_span> loaded_memory();

/// The program for a process whose id is `process`, with all that must stay as it is mapped.
[[nodiscard]] filter_program system_call_filter(const process_outline&, const std::vector<closed_span>& as_mapped,
                                                int process);

/// Closes this process, for good. False where the kernel has no filters (then a sandbox has none either); throws
/// std::runtime_error when it refuses this one.
bool close_process(const process_outline&);

}  // namespace simtlab

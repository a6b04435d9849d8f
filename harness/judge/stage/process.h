// Runs a program that is not trusted, within limits, and tells how it ended.
//
// The child gets a process group of its own, no standard input, resource limits, and dies with us. Its standard output and
// error go into one pipe, of which the first bytes are kept. A wall clock outside of the child decides about a timeout; in
// the end the whole group is killed, so that nothing it started lives on.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace simtlab {

struct process_limits {
  std::chrono::milliseconds wall{10'000};
  /// Until `started` says yes, a second clock runs instead: a command prefix may queue. 0: the wall clock runs at once.
  std::chrono::milliseconds until_started{0};
  std::chrono::seconds processor{0};  ///< RLIMIT_CPU, of each process; 0: none
  std::size_t memory_bytes = 0;       ///< RLIMIT_DATA; 0: none
  std::size_t file_bytes = 0;         ///< RLIMIT_FSIZE; 0: none
  std::size_t printed_bytes = 256 * 1024;
  std::chrono::milliseconds grace{0};  ///< between SIGTERM and SIGKILL, for a prefix that has to clear away; 0: SIGKILL
};

struct process_outcome {
  enum class way {
    exited,
    signalled,
    timed_out,
    out_of_processor_time,
    out_of_memory,
    printed_too_much,
    wrote_too_much,
    never_started,
    not_executed
  };
  way how = way::exited;
  int exit_code = 0;           ///< exited
  int signal = 0;              ///< signalled
  std::string text;            ///< not_executed: why
  std::string printed;         ///< the first bytes, raw
  std::size_t peak_bytes = 0;  ///< largest resident set of the child and what it waited for
  std::chrono::duration<double, std::milli> wall{};
};

/// `words[0]` is looked up in PATH. `started` is asked now and then when there is an `until_started` limit.
[[nodiscard]] process_outcome run_process(const std::vector<std::string>& words, const std::filesystem::path& folder,
                                          const process_limits&, const std::function<bool()>& started);

/// Whether a signal stands for the limit of processor time: a soft limit equal to the hard one ends in SIGKILL, which
/// can't be caught. The kernel enforces the limit by its ticks, which run up to some percent ahead of the time it reports.
[[nodiscard]] bool is_out_of_processor_time(int signal, std::chrono::duration<double> used, const process_limits&);

/// "a segmentation fault (an invalid memory address in host code)"
[[nodiscard]] std::string signal_in_words(int signal);

}  // namespace simtlab

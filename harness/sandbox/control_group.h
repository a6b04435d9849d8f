// A control group around one sandbox: memory and processes of everything in it together, where we may make one.
//
// Version 1 has a tree per controller, version 2 one tree; which of them are there, and where in them this process
// stands, is read from /proc. A group's name says who owns it (process id namespace, process, start time), so that one
// whose owner was killed is known from one in use, and swept by the next launcher that comes by.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace simtlab::sandbox {

/// Folders in which groups may be made, best first. In version 2 one group serves both ends.
struct group_candidates {
  std::vector<std::filesystem::path> memory, processes, unified;
};

/// From the texts of /proc/self/mountinfo and /proc/self/cgroup; no file system is looked at.
[[nodiscard]] group_candidates find_candidates(const std::string& mount_info, const std::string& own_groups);
/// The same for this process.
[[nodiscard]] group_candidates find_candidates();

class control_group {
 public:
  /// Makes the group with its limits, in the first place where the kernel lets us; 0: no limit. Never throws: whoever
  /// needs a limit asks whether it holds.
  control_group(const group_candidates&, std::size_t memory_bytes, std::size_t processes);
  ~control_group();
  control_group(const control_group&) = delete;  // it owns folders of the kernel's
  control_group& operator=(const control_group&) = delete;

  [[nodiscard]] bool limits_memory() const { return !memory_.empty(); }
  [[nodiscard]] bool limits_processes() const { return !processes_.empty(); }
  /// The files that a process writes "0" into to join.
  [[nodiscard]] std::vector<std::string> doors() const;
  void kill_all() const;

  [[nodiscard]] std::size_t memory_kills() const;       ///< processes ended for lack of memory
  [[nodiscard]] std::size_t refused_processes() const;  ///< forks that the limit refused
  [[nodiscard]] std::optional<std::size_t> peak_bytes() const;

 private:
  std::filesystem::path memory_, processes_;
  bool unified_ = false;
};

/// Removes groups whose owner is gone, with what is left in them; returns how many.
std::size_t sweep_groups(const group_candidates&);

}  // namespace simtlab::sandbox

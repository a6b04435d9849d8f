// How a launch ended, for the caller: written where the command cannot reach.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace simtlab::sandbox {

struct launch_status {
  bool started = false;
  std::string why;         ///< not started: the reason, which is never the command's
  int exit_code = 0;       ///< when no signal ended it
  int signal = 0;          ///< that ended the command; 0: none
  bool stopped = false;    ///< our caller asked for the end
  bool disk_full = false;  ///< ended, because its folders held more than they may
  std::size_t memory_kills = 0;
  std::size_t refused_processes = 0;
  std::size_t processes = 0;   ///< the limit
  std::size_t memory_mb = 0;   ///< the limit; 0: none
  std::size_t peak_bytes = 0;  ///< of everything together by control group, else of the largest process
  double processor_seconds = 0;
  std::vector<std::string> layers;
};

/// One JSON document, whole or not at all. Throws launch_error.
void write_status(const launch_status&, const std::filesystem::path&);

}  // namespace simtlab::sandbox

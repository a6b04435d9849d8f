// The launcher's command line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace simtlab::sandbox {

/// A path that the command may see, at the same place inside as outside.
struct shown_path {
  enum class way { read, read_if_there, write, device };
  way how;
  std::filesystem::path path;  ///< absolute
};

struct launch_options {
  std::vector<shown_path> shown;
  std::filesystem::path folder = "/tmp";  ///< where the command starts
  std::filesystem::path status;           ///< empty: none is written
  std::size_t processes = 32;             ///< processes and threads at a time
  std::size_t memory_mb = 0;              ///< of all processes and memory files together, by control group; 0: no limit
  std::size_t temporary_mb = 64;          ///< of /tmp
  bool shared_memory = true;              ///< false: no memory that several processes share, which rlimits do not count
  bool gpu = false;                       ///< show NVIDIA's devices
  bool namespaces = true;                 ///< false: only what works without them (see launch.h)
  std::vector<std::string> variables;     ///< names to keep of our environment
  std::vector<std::string> required;      ///< layers without which nothing is started
  std::vector<std::string> command;
};

enum class action { launch, probe, sweep, check_inside, help };

struct command_line {
  action what = action::launch;
  bool json = false;  ///< of --probe
  launch_options launch;
};

class usage_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// Throws usage_error.
[[nodiscard]] command_line parse_command_line(const std::vector<std::string>& words);
[[nodiscard]] const char* usage();

}  // namespace simtlab::sandbox

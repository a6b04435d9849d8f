// What the launcher of a sandbox tells about a case (harness/sandbox/status.h): what its exit code alone does not.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "judge/stage/process.h"

namespace simtlab {

/// Lies beside the case's folders `request` and `result`, where a submission cannot reach it.
inline constexpr const char* sandbox_status_file = "sandbox.json";

struct sandbox_status {
  bool started = false;
  std::string why;  ///< not started
  int signal = 0;
  bool disk_full = false;
  std::size_t memory_kills = 0, refused_processes = 0, processes = 0, peak_bytes = 0;
  double processor_seconds = 0;
};

/// nullopt where no launcher wrote one. Throws protocol_error for one that cannot be read: our fault.
[[nodiscard]] std::optional<sandbox_status> read_sandbox_status(const std::filesystem::path& case_folder);

/// The outcome of the launcher, told as the outcome of the program inside.
[[nodiscard]] process_outcome inside(process_outcome launcher, const sandbox_status&, const process_limits&);

}  // namespace simtlab

// Starts a lab's runner behind the command prefix, inside the case's limits, and waits for it; on a GPU in its turn.
#pragma once

#include <filesystem>
#include <optional>

#include "judge/options.h"
#include "judge/stage/case_run.h"
#include "judge/stage/process.h"
#include "judge/stage/sandbox_status.h"
#include "protocol/file.h"
#include "spec/lab_core.h"

namespace simtlab {

/// Of processor time, for one case.
[[nodiscard]] double case_seconds(const lab&, const judge_options&);

/// How a runner ended, and what became of its turn on the GPU.
struct ended_runner {
  process_outcome process;
  process_limits limits;
  std::optional<sandbox_status> sandboxed;
  bool had_turn = true;
  double waited_milliseconds = 0;
};

/// Starts the runner with `folder`, whose `result` is open as `result`; `largest_output` in bytes.
[[nodiscard]] ended_runner run_runner(const lab&, const judge_options&, const std::filesystem::path& folder,
                                      const folder_handle& result, const case_run&, std::size_t largest_output);

}  // namespace simtlab

// How one case is run, and what its runner is asked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/options.h"
#include "judge/stage/input_seed.h"
#include "protocol/request.h"
#include "spec/lab_core.h"

namespace simtlab {

/// How a case is to be run.
struct case_run {
  bool counters = true;
  bool checks = true;
  bool examples = false;                         ///< of requests are kept
  std::optional<coordinates> traced_block = {};  ///< in the first launch
  std::string traced_kernel = {};                ///< in its first launch, not in the program's
  bool names_racing_threads = false;             ///< also of two blocks
  bool samples = false;                          ///< of one block's accesses are kept
  std::optional<timing_request> timing = {};     ///< with two rounds
  std::optional<double> processor_seconds = {};  ///< where it may take less of it than the lab says
  unsigned rounds = 1;                           ///< calls, each with other values at other addresses
  case_kind of = case_kind::visible;
  bool keep = false;        ///< the arguments and outputs stay in the outcome
  bool as_written = false;  ///< kernels run as g++ compiled them, whatever the options say
  bool compare = true;      ///< false: outputs are taken for right, because nothing depends on them
  /// Called when the program has ended, before its outputs are looked at: whether it has left a result.
  std::function<void(bool has_result)> after_process = {};
};

/// What the runner is asked; `values` give the arguments' sizes.
[[nodiscard]] case_request request_for(const std::string& lab_name, const lab&, const judge_options&, const test_case&,
                                       const case_run&, const std::vector<argument_value>& values);

}  // namespace simtlab

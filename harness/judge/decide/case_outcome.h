// What became of one case: verdict, sentences, what was measured, and on request its values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/decide/comparison.h"
#include "judge/decide/explanation.h"
#include "judge/decide/verdict.h"
#include "protocol/result.h"
#include "spec/lab_core.h"

namespace simtlab {

/// A race whose threads are known, and what their blocks did.
struct traced_race {
  finding of;                  ///< with both threads
  coordinates block{1, 1, 1};  ///< of the launch: its threads
  block_trace first, second;   ///< of the finding's two places; equal in a race inside a block
};

struct case_outcome {
  std::string name;
  sizes of;
  bool hidden = false;
  verdict judged = verdict::internal_error;
  std::string message;              ///< for the student; empty when passed
  std::string summary;              ///< the message without its explanation
  std::vector<explanation> likely;  ///< what is likely wrong, the most telling first; the message has the first one
  std::string printed;              ///< what the submission printed, made printable and cut
  std::optional<mismatch> wrong;
  measurements measured;
  std::vector<traced_race> traced_races;  ///< the first ones, where a profile's page draws them
  std::optional<environment> where;       ///< known once a runner answered
  bool untouched = false;                 ///< it returned, and no output element was written
  double milliseconds = 0;                ///< wall clock of the runner
  std::string uncounted;                  ///< on a GPU, when counters were asked for: why there are none
  bool had_turn = true;                   ///< on a GPU: its turn came in time
  double waited_milliseconds = 0;         ///< for that turn
  // With case_run::keep: the first call's arguments as given, and its outputs, as far as it returned.
  std::vector<argument_value> given;
  round_values returned;
};

}  // namespace simtlab

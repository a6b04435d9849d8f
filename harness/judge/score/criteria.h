// From measurements to a score: evaluates a lab's criteria.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/gpu/timing_evidence.h"
#include "judge/options.h"
#include "judge/score/argument_size.h"
#include "protocol/measurement.h"
#include "spec/lab_core.h"

namespace simtlab {

struct source_place {
  std::string file;
  int line = 0;
};

struct evaluated_criterion {
  const criterion* of = nullptr;
  bool measured = false;
  std::string reason;  ///< why not measured, or what stands behind a value that does not earn all
  std::string idea;    ///< instead of the criterion's own hint, where that would lead astray; mostly empty
  std::optional<double> value;
  double fraction = 0;                ///< of full points
  double percent = 0;                 ///< share of the score after the others' weights were shared out
  std::optional<source_place> where;  ///< the line that costs most
  // Of a time: within these bounds it lies with `ratio_confidence`.
  std::optional<interval> bounds;
  bool favoured = false;     ///< full_at lies within the bounds: full points, though the value falls short of it
  double best_fraction = 0;  ///< at the bound that is better for the submission
};

/// The figures that a criterion may need.
struct criterion_input {
  const measurements& measured;
  work model;
  double argument_bytes = 0;  ///< host entries: inputs once, outputs once
  backend_kind backend = backend_kind::emulator;
  entry_kind kind = entry_kind::device;
  const timing_evidence* timing = nullptr;
  std::vector<argument_size> arguments = {};
  bool whole_work = true;  ///< false in tests of what the second bound (whole_work.h) catches
};

/// Whether criteria of this kind are for this backend at all: counters for the emulator, times for a GPU.
[[nodiscard]] bool is_for(backend_kind, const criterion&, entry_kind);

/// Why this backend cannot measure the criterion, whatever the program does; empty when it can.
[[nodiscard]] std::string unsupported_reason(const criterion&, backend_kind, entry_kind);

[[nodiscard]] std::vector<evaluated_criterion> evaluate(const std::vector<criterion>&, const criterion_input&);

/// The idea that repairs the criterion, in the lab's words; those speak of accesses, so where a space of memory was not used at
/// all, that it was not.
[[nodiscard]] std::string idea_of(const evaluated_criterion&);

/// Σ percent · fraction; nothing when no criterion was measured.
[[nodiscard]] std::optional<double> score_of(const std::vector<evaluated_criterion>&);

/// The same with every time at its better bound.
[[nodiscard]] std::optional<double> best_score_of(const std::vector<evaluated_criterion>&);

}  // namespace simtlab

// A case's values, made once for every program that is run on them.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "judge/stage/input_seed.h"
#include "judge/stage/scratch_folder.h"
#include "protocol/request.h"
#include "spec/lab_core.h"

namespace simtlab {

/// The arguments of one round.
using round_arguments = std::vector<argument_value>;

class prepared_case {
 public:
  /// Draws the values of so many rounds, at the same time. `lab` must outlive it. Throws specification_error.
  prepared_case(const lab&, std::uint64_t secret, test_case, case_kind, unsigned rounds);

  [[nodiscard]] const test_case& of() const { return case_; }
  [[nodiscard]] const std::vector<round_arguments>& rounds() const { return rounds_; }
  [[nodiscard]] std::size_t largest_output() const;  ///< bytes

  /// Writes the values to files of our own, so that `place_in` has only to link them.
  void stage_inputs(const case_request&);
  /// Makes the folder that a runner is started with.
  void place_in(const std::filesystem::path& folder, const case_request&) const;

 private:
  [[nodiscard]] round_view inputs(unsigned round) const;

  const lab& lab_;
  test_case case_;
  std::vector<round_arguments> rounds_;
  std::unique_ptr<scratch_folder> files_;
};

}  // namespace simtlab

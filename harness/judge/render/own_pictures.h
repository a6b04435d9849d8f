// The pictures of a run on a student's own picture: each output beside the input, and where it differs.
#pragma once

#include <filesystem>
#include <string>

#include "judge/decide/case_outcome.h"
#include "spec/lab_core.h"

namespace simtlab {

/// Writes `photo-output.ppm` beside `photo.ppm` for each output that is an image, and `photo-difference.ppm` where it is
/// wrong: black where it is right, and half bright or more where it is not, however little; where all is right the one of an earlier run is removed. Returns the
/// sizes of the run and a line of text for each. An outcome without outputs (a crash) has none. Throws std::runtime_error when a file cannot be written.
[[nodiscard]] std::string write_own_pictures(const lab&, const case_outcome&, const std::filesystem::path& input);

}  // namespace simtlab

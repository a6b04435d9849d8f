// The bridge between doctest's test cases, which take no arguments, and the one submission that is judged.
#pragma once

#include "judge/render/part_report.h"

namespace simtlab {

struct judged_submission {
  evaluation& of;
  const part_report& report;
};
/// Set once, before doctest runs.
void set_judged_submission(const judged_submission*);

}  // namespace simtlab

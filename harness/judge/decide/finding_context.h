// What the judge knows of a finding beyond who found it: the shapes of the lab's arrays, and the submission's source.
#pragma once

#include <string>
#include <vector>

#include "judge/render/source_text.h"
#include "protocol/measurement.h"
#include "spec/lab_core.h"

namespace simtlab {

/// Says of an access outside of a matrix how its index is made and what is to be compared: an index compared with the
/// whole size lets a column too large through, to the next row. Where the thread's own row and column make the index by another of
/// the case's sizes, it says that the width is the wrong one.
void add_shape(finding&, const lab&, const test_case&, const std::vector<argument_value>& given,
               const std::vector<launch_counters>& launches = {});

/// The lines with a `return` that may lie behind a finding: of the kernel, where it says that threads have returned; of the
/// function that allocates, behind the allocation, where memory leaks. At most three; none where there are more.
[[nodiscard]] std::vector<int> return_lines(const finding&, const source_text&);

/// The names of the __device__ and __managed__ variables that the source declares.
[[nodiscard]] std::vector<std::string> device_variables(const source_text&);

}  // namespace simtlab

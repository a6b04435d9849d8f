// Copies between host and device that host code made too short: a size in elements where bytes are meant, or copies that
// together leave out a part of an array. What they left out looks like a kernel's fault.
#pragma once

#include <optional>

#include "judge/decide/explanation.h"
#include "judge/decide/mismatch_pattern.h"
#include "protocol/measurement.h"
#include "spec/lab_core.h"

namespace simtlab {

/// The first place whose copies take the number of elements for the number of bytes: one copy moves as many bytes as its array
/// has elements, or each of several begins where the one before would end if it moved so many elements.
[[nodiscard]] std::optional<explanation> size_in_elements(const lab&, const measurements&);

/// Of an output: the copies back reach only a part of it, and all that is wrong lies in the rest.
[[nodiscard]] std::optional<explanation> never_copied_back(const output_values&, std::size_t element_bytes,
                                                           const measurements&);

/// Says of a finding of memory that nobody stored to which copy to it is short, if one is.
void add_short_copy(finding&, const lab&, const measurements&);

}  // namespace simtlab

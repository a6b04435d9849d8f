// What Nsight Compute printed of a profile, as the counters that the emulator has.
//
// Two of its pages are read, as comma-separated values: `raw` has a row for each launch with the hardware's counters; `source`
// with `--print-source cuda,sass` has, launch after launch, each instruction with the line it was made from and what it
// did. The source page knows lines, and the raw page what the hardware counted for the whole launch. A line's share of a
// counter is its instructions' share: the sum over lines is the hardware's figure. That matters where warps come to a memory
// instruction with every lane switched off (the instruction is executed, and no request is made), and for the sectors of
// atomics and the wavefronts of shared ones, which only the hardware's counters have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/measurement.h"

namespace simtlab {

/// What `ncu --metrics` is to collect.
[[nodiscard]] std::string nsight_metrics();

/// The launches in their order, those of the same kernel, grid and block added up (`times`). Accesses to local and constant
/// memory are left out; variables have no names there, and what was inlined from one of CUDA's headers, as atomics
/// are, stands at that header's line. Without a source page ("") the accesses of a
/// kind stand together, at no line. Throws protocol_error where a page is not as Nsight Compute 2025.3 prints it.
[[nodiscard]] std::vector<launch_counters> launches_of_nsight(std::string_view raw_page, std::string_view source_page);

/// Why there is no profile, in one sentence with what to do, from what ncu said.
[[nodiscard]] std::string refusal_of_nsight(std::string_view said);

}  // namespace simtlab

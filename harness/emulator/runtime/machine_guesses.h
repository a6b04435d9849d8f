// Plain loads of a kernel's machine code that can be nothing but the first guess of a compare-and-swap (checks/races/cas_probe_reads.h):
// what translator/cas_probe_reads.h finds in g++'s assembly.
#pragma once

#include <vector>

#include "sass/machine_code.h"

namespace simtlab::emulator {

/// Of each instruction of the kernel, from its first: whether it is a plain load from which all ways lead to an atomicCAS before they
/// lead back to the load or out of the kernel. A way that cannot be followed, a call or a branch by a table, counts as leading out.
[[nodiscard]] std::vector<bool> machine_guesses(const sass::machine_code&, const sass::function&);

}  // namespace simtlab::emulator

// `__launch_bounds__` in the assembly: what the launcher needs to know of a kernel's largest block.
//
// host_defines.h gives a kernel with bounds as many `nop`s in front of its entry as its block may have threads
// (`patchable_function_entry`): the one attribute of g++'s that takes any constant, a template's argument too, and that the
// declarations of a function share. The `nop`s go, and a record of section `simtlab_launch_bounds` stays
// (simtlab_launch_bound). A launch whose kernel the call deduces knows no kernel, only the function that calls it: that
// function has a record, too.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

[[nodiscard]] std::string record_launch_bounds(std::string_view assembly);

}  // namespace simtlab::emulator

// What g++'s `-E -fdirectives-only` does and clang has no option for: a text with its includes pasted in, its macros as they are
// written, and without the groups that conditions leave out.
#pragma once

#include <string>
#include <string_view>

namespace simtlab::emulator {

/// `text`: the output of `clang++ -E -frewrite-includes`, in which every `#if` and `#elif` is evaluated already. `predefined`: that
/// of `clang++ -E -dM` with the same options for an empty file, which tells what `#ifdef` finds defined. Lines that are left out
/// become empty, so that no other moves; so do the conditions themselves.
[[nodiscard]] std::string without_inactive_groups(std::string_view text, std::string_view predefined);

}  // namespace simtlab::emulator

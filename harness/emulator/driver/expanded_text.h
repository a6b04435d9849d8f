// A preprocessed text with its macros replaced.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/command_line.h"
#include "driver/installation.h"

namespace simtlab::emulator {

/// `file` holds what `g++ -E -fdirectives-only` wrote: conditions decided, headers pasted in, definitions where they stood. `result`
/// gets it as `g++ -E` would have written it. `more`: further options of g++'s. Throws program_error where g++ cannot.
void expand_macros(const std::filesystem::path& file, const std::filesystem::path& result, const command_line&,
                   const installation&, const std::vector<std::string>& more = {});

}  // namespace simtlab::emulator

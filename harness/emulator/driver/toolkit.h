// What build systems ask of nvcc: CMake reads nvcc's version, its folders and how it links from what it prints.
#pragma once

#include <string>

#include "driver/command_line.h"
#include "driver/installation.h"

namespace simtlab::emulator {

/// `--version` by nvcc's name.
[[nodiscard]] std::string version_as_nvcc(const installation&);

/// The folders of nvcc's `-v`, as it prints them, and the architecture that a source is compiled for. Empty where the
/// installation has no toolkit.
[[nodiscard]] std::string folders_as_nvcc(const installation&, const command_line&);

/// How nvcc would link: with simtcc in the place of the host's linker.
[[nodiscard]] std::string link_line_as_nvcc(const installation&);

}  // namespace simtlab::emulator

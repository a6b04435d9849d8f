// simtcc --check-support DIR: what of a project's CUDA files the emulator runs, and what it lacks for the rest.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command_line.h"
#include "driver/installation.h"

namespace simtlab::emulator {

struct unsupported_use {
  int line = 0;  ///< the first
  std::string name;
  std::string_view why;  ///< and what to use instead
};

/// What a file names that the emulator does not have, in the order of the lines; each name once. `text` is the file as its
/// author wrote it.
[[nodiscard]] std::vector<unsupported_use> unsupported_uses(std::string_view text);

/// Of one file of the project.
struct file_support {
  std::string file;         ///< below the project's folder
  std::string first_error;  ///< empty: it compiles
  std::vector<unsupported_use> uses;
};

[[nodiscard]] std::string support_table(const std::vector<file_support>&);

/// Compiles each .cu and .cuh file below `options.check_support`, in the order of their names; hidden folders are left out.
/// `folder` is for what is not kept.
[[nodiscard]] std::vector<file_support> check_support(const command_line& options, const installation&,
                                                      const std::filesystem::path& folder);

}  // namespace simtlab::emulator

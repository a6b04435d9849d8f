// Where the emulator's headers and libraries are, and with what they are linked.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace simtlab::emulator {

/// A real CUDA compiler that reads programs for simtcc --front-end.
struct cuda_front_end {
  std::string program;            ///< the path of nvcc or clang++
  std::string name;               ///< `clang++ 14.0.6`
  std::filesystem::path headers;  ///< clang's own, as stddef.h
};

/// Read from `simtcc.conf`, which the build writes: one `word value` per line: `include`, `compiler`, for each front end
/// `front-end`, `front-end-name` and clang's `front-end-headers`, and `link`. Relative paths of `include` start at the file's
/// own folder.
struct installation {
  std::filesystem::path include;           ///< the folder of cuda_runtime.h
  std::filesystem::path precompiled;       ///< the folder of the headers that were parsed before; need not exist
  std::string compiler;                    ///< g++ 12 or later
  std::vector<cuda_front_end> front_ends;  ///< the quickest first; empty: this machine has none
  std::vector<std::string> link;           ///< words behind the objects

  /// The folder of wb.h; every folder that a program names comes first.
  [[nodiscard]] std::filesystem::path course_headers() const { return include / "course"; }

  /// From the folder SIMTLAB_EMULATOR_ROOT, or else from the build tree that simtcc comes from.
  /// Throws std::runtime_error when the file is missing or incomplete.
  static installation find();
  static installation read(const std::filesystem::path& file);
};

}  // namespace simtlab::emulator

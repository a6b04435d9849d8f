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

/// Read from `simtcc.conf`, which the build writes, for its own tree and for an installed one: one `word value` per line:
/// `include`, `compiler`, `wheels`, `course`, for each front end `front-end`, `front-end-name` and clang's `front-end-headers`, `without sass` in a tree that lacks that engine, and `link`. Relative
/// paths of `include`, `course` and `link` start at the file's own folder, so that an installed tree may be moved.
struct installation {
  std::filesystem::path include;           ///< the folder of cuda_runtime.h
  std::filesystem::path toolkit;           ///< laid out as a CUDA Toolkit; an installed tree has it
  std::filesystem::path precompiled;       ///< the folder of the headers that were parsed before; need not exist
  std::string compiler;                    ///< g++ 12 or later
  std::vector<cuda_front_end> front_ends;  ///< the quickest first; empty: this machine has none
  std::filesystem::path wheels;            ///< a Python environment that may have NVIDIA's tools; may be empty
  bool has_machine = true;                 ///< the engine sass was built
  std::filesystem::path course;            ///< the library of wb.h (emulator/course), which programs are linked with
  std::vector<std::string> link;           ///< words behind the objects

  /// Options of g++ by which a program finds wb.h, where no folder that it names has one, and calls the library's functions.
  [[nodiscard]] std::vector<std::string> course_header() const {
    return {"-idirafter", (include / "course").string(), "-DSIMTLAB_COURSE_LIBRARY"};
  }

  /// The option of g++ by which debug information places the emulator's headers in /usr/include, wherever they are: a program
  /// shows the lines that call them (report/source_map.h).
  [[nodiscard]] std::string headers_in_debug_information() const;

  /// When simtcc or one of the emulator's headers last changed.
  [[nodiscard]] std::filesystem::file_time_type last_changed() const;

  /// The version of nvcc whose place simtcc takes: of the one among `front_ends`, which reads the same sources, else of the
  /// emulator's API. `12.0`.
  [[nodiscard]] std::string nvcc_version() const;

  /// From the folder SIMTLAB_EMULATOR_ROOT, or else from where simtcc's own file is: `../lib/simtlab` in an installed tree,
  /// `../emulator` in a build tree. Throws std::runtime_error when the file is missing or incomplete.
  static installation find();
  static installation read(const std::filesystem::path& file);
};

}  // namespace simtlab::emulator

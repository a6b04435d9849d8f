// The judge's command line. docs/architecture.md fixes it; doctest's own options are passed on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace simtlab {

enum class backend_kind : std::uint8_t { emulator, cuda };
[[nodiscard]] const char* name_of(backend_kind);

struct judge_options {
  std::filesystem::path runner;
  /// Words; `{case}` in one stands for the case's folder, `{memory_mb}` for what all its processes together may take.
  std::vector<std::string> runner_prefix;
  backend_kind backend = backend_kind::emulator;
  std::filesystem::path facts;  ///< empty: doctest is the face
  std::string submission;
  std::filesystem::path hidden;  ///< JSON with more cases
  std::uint64_t seed = 1;
  unsigned workers = 1;
  std::optional<double> limit_seconds;
  std::optional<int> limit_memory_mb;
  std::filesystem::path profile;            ///< the source to annotate
  std::filesystem::path source;             ///< the submission's file, to quote lines from
  std::vector<std::string> sandbox_layers;  ///< what the prefix provides, for the record
  std::vector<std::string> for_doctest;
  bool help = false;
};

class usage_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// Throws usage_error.
[[nodiscard]] judge_options parse_options(const std::vector<std::string>& words);
[[nodiscard]] std::string usage(const std::string& program);

}  // namespace simtlab

// The documents that a judge writes, as text: for a program that reads and writes no JSON itself.
#pragma once

#include <filesystem>
#include <string>

#include "judge/evaluation.h"

namespace simtlab {

[[nodiscard]] std::string description_text(const evaluation&);
[[nodiscard]] std::string counters_text(evaluation&);
[[nodiscard]] std::string facts_text(evaluation&);

/// The text is made before: the submission runs meanwhile, and nothing may be open that it could write to. Whoever reads
/// `target` finds the old text or the new one. Throws std::runtime_error where it cannot be written.
void write_document(const std::filesystem::path& target, const std::string& text);

/// A run beside the one before.
struct changed_run {
  bool passed = false;
  std::string headline;  ///< "PASS  6 of 6 cases right, no findings, fast 100 of 100"
  std::string changes;   ///< indented lines, or that there are none and why
};
/// Compares with the facts in `last`, then keeps the new ones there. Facts that are absent or cut off are compared with
/// nothing.
[[nodiscard]] changed_run compared_with_last(const std::filesystem::path& last, evaluation&);

}  // namespace simtlab

// What a student reads of each part, correct, safe and fast: what failed, what was expected, what was found, which line, what to do next.
// Plain text of at most `report_width` columns; golden files in tests/judge hold it.
#pragma once

#include <cstddef>
#include <string>

#include "judge/decide/finding_group.h"
#include "judge/evaluation.h"
#include "judge/render/source_text.h"
#include "judge/render/style.h"

namespace simtlab {

inline constexpr std::size_t report_width = 74;  // `make test` indents by 6

class part_report {
 public:
  part_report(evaluation& of, const source_text& source, const text_style& style)
      : of_(of), source_(source), style_(style) {}

  [[nodiscard]] std::string correct() const;
  [[nodiscard]] std::string safe() const;
  [[nodiscard]] std::string fast() const;

 private:
  [[nodiscard]] std::string case_line(const case_outcome&, const std::string& rest) const;
  [[nodiscard]] std::string case_lines(const case_outcome&, const std::string& says) const;
  [[nodiscard]] std::string launched_lines(const case_outcome&) const;
  [[nodiscard]] std::string printed_lines(const std::string& printed) const;
  [[nodiscard]] std::string mismatch_lines(const mismatch&) const;
  [[nodiscard]] std::string finding_lines(const finding_group&) const;
  /// The lanes that met and the first case it was seen in; empty where neither is known.
  [[nodiscard]] std::string who_of(const finding&) const;
  [[nodiscard]] std::string criterion_lines(const evaluated_criterion&, std::size_t width) const;
  [[nodiscard]] std::string counter_lines(const measurements&) const;
  [[nodiscard]] std::string quoted(const std::string& file, int line) const;

  evaluation& of_;
  const source_text& source_;
  const text_style& style_;
};

}  // namespace simtlab

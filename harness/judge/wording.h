// Sentences that facts and terminal share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "judge/decide/comparison.h"
#include "protocol/measurement.h"
#include "spec/test_case.h"

namespace simtlab {

/// "1st", "2nd", "11th"
[[nodiscard]] std::string ordinal(std::uint64_t);
/// "1 sector", "1,024 sectors"
[[nodiscard]] std::string counted_text(std::uint64_t n, const std::string& thing);
/// "(31,0,0)"
[[nodiscard]] std::string coordinates_text(const coordinates&);
/// "rows 33, cols 65"
[[nodiscard]] std::string sizes_text(const sizes&);
/// "C: 65 of 2145 elements are wrong, all of them in row 32. First: C[32][0] should be 0.25 but was never written."
/// What lies behind it follows where it is `explained`; else a question helps on.
[[nodiscard]] std::string summary_of(const mismatch&, bool explained = false);
/// The message and where: "kernel.cu:23: …"
[[nodiscard]] std::string describe(const finding&);
/// "kernel.cu:23", "kernel.cu:23 and kernel.cu:31", "" when unknown.
[[nodiscard]] std::string places_of(const finding&);
/// Lines of at most `width` columns, broken at spaces; existing line ends stay. Counts UTF-8 characters as one column.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t width);
/// Columns that the text takes.
[[nodiscard]] std::size_t columns(std::string_view text);
/// At most `width` columns, the last one "…" where the text is longer.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t width);
/// Padded with spaces to at least `width` columns.
[[nodiscard]] std::string padded(std::string text, std::size_t width);
/// Printable text: control characters and invalid UTF-8 replaced, at most `greatest` bytes.
[[nodiscard]] std::string printable(std::string_view raw, std::size_t greatest);
/// 1234567 as "1,234,567"
[[nodiscard]] std::string grouped(std::uint64_t);
/// "a", "a and b", "a, b and c"
[[nodiscard]] std::string listed(const std::vector<std::string>&);

}  // namespace simtlab

// CUDA C++ as a page shows it: comments, text, numbers, preprocessor lines, keywords and CUDA's own words in elements `span`.
#pragma once

#include <string>
#include <vector>

namespace simtlab {

/// The lines as HTML, escaped, one for one. Classes: `hc` comment, `hs` text in quotes, `hn` number, `hp` preprocessor, `hk` keyword or
/// type of C++, `hu` a word of CUDA's. Only colour: a source that is no C++ keeps every character.
[[nodiscard]] std::vector<std::string> highlighted(const std::vector<std::string>& lines);

}  // namespace simtlab

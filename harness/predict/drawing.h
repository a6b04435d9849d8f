// Which numbers a student gets.
#pragma once

#include <string>
#include <string_view>

#include "predict/question.h"

namespace simtlab::predict {

/// The numbers of a question for a student: always the same for the same name, letter case and anything but letters and
/// digits aside. For an empty name the first values.
[[nodiscard]] drawn numbers_for(const question&, std::string_view student);

/// The question's text with its numbers in place of `{name}`.
[[nodiscard]] std::string text_of(const question&, const drawn&);

}  // namespace simtlab::predict

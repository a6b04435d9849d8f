// A student's own small input: a text file with the sizes of a case and, as far as wanted, the values of its arrays.
//
//   # two rows of three
//   rows 2
//   cols 3
//   input
//   1 2 3
//   4 5 6
//
// A word is the name of a size, of an input array or of a scalar of the entry; the numbers behind it, on one line or on
// several, are its value. `#` begins a comment. Sizes are all given; an array that is not is random, as in the cases.
//
// Or a picture (netpbm.h), for a lab whose first input is an image: it gives that array and the sizes `width`, `height`
// and `channels`. Sizes that nobody gives are the benchmark's then.
#pragma once

#include <filesystem>

#include "spec/lab_core.h"

namespace simtlab {

/// `of` with that input as its only case; `own` are sizes that the file leaves out. Throws usage_error, naming file and
/// line, for what does not fit the lab.
[[nodiscard]] lab with_own_input(lab of, const std::filesystem::path& file, const sizes& own = {});

}  // namespace simtlab

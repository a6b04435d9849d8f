// Whether each library does the work that it is timed at: on small arrays of odd sizes, against plain loops.
#pragma once

namespace simtlab {

/// Prints a line for each library; false when one computes something else.
[[nodiscard]] bool check_libraries();

}  // namespace simtlab

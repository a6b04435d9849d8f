// How much of the work that a criterion is about a program does as it should.
#pragma once

#include <string>
#include <utility>

namespace simtlab {

struct share_of_work {
  double share = 1;
  std::string missing;  ///< what is missing, in words; empty: nothing

  /// Both shares are done. The words stay those of the first that lacks something.
  share_of_work& operator*=(share_of_work other) {
    share *= other.share;
    if (missing.empty()) missing = std::move(other.missing);
    return *this;
  }
};

}  // namespace simtlab

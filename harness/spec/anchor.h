// A kernel of the lab's own that is timed on the GPU at hand, and what a submission earns that is just as fast.
//
// A ratio to a library's kernel of the same kind carries over from GPU to GPU. A fraction of the copy's bandwidth does not
// where the mistakes that a lab teaches are bound by something else than memory: the same unpadded transpose had 37 points
// on an H200 and 60 on an H100. Anchors are the lab's solution and its mistakes, so every GPU places them alike.
#pragma once

#include <string_view>

namespace simtlab {

struct anchor {
  constexpr anchor(std::string_view kernel, double earns) : name(kernel), mark(earns) {}
  std::string_view name;  ///< "solution", or a file of solutions/NN-name/variants without its .cu
  double mark;            ///< 0..1 of the criterion's points
};

}  // namespace simtlab

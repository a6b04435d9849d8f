// A launch so small that a person reads all of it: what labs/NN-name/phases.cu says. `make phases` runs it with the student's own
// kernel, whose tile is made two wide, and prints what each thread accessed in which phase. docs/lab-handout.md is the guide.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace simtlab::phases {

/// An array of floats in device memory, row after row.
struct matrix {
  std::string name;
  int rows = 0, columns = 0;
  bool is_input = true;  ///< filled with values that are not 0
};

struct toy {
  std::string title;
  std::vector<matrix> matrices;
  /// Calls the lab's entry with device pointers to the matrices, in their order.
  std::function<void(const std::vector<float*>&)> run;
};

/// How wide `make phases` makes the tile of the student's kernel.
inline constexpr int tile_width = 2;

}  // namespace simtlab::phases

/// Implemented by phases.cu.
std::vector<simtlab::phases::toy> define_toys();

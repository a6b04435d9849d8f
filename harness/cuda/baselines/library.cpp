#include "cuda/baselines/library.h"

#include <algorithm>

namespace simtlab {
namespace {

const device_array& nth(const std::vector<device_array>& all, std::size_t n, std::size_t extents, const char* what) {
  for (const device_array& a : all)
    if (a.extents().size() == extents && n-- == 0) return a;
  throw unfit_arguments(std::string("the entry has too few ") + what + " arrays with " + std::to_string(extents) +
                        " extents for this baseline; shaped(...) and elements(...) of lab.cpp give them");
}

}  // namespace

const device_array& library_problem::input(std::size_t n, std::size_t extents) const {
  return nth(inputs, n, extents, "input");
}

const device_array& library_problem::output(std::size_t n, std::size_t extents) const {
  return nth(outputs, n, extents, "output");
}

void library_problem::require(const char* baseline, std::initializer_list<scalar_type> types) const {
  for (const device_array& a : inputs)
    if (std::ranges::find(types, a.of->scalar) == types.end())
      throw unfit_arguments(std::string("the baseline ") + baseline + " has no version for the elements of " +
                            a.of->name);
}

}  // namespace simtlab

#include "spec/test_case.h"

#include <fmt/format.h>

namespace simtlab {

int sizes::operator[](std::string_view name) const {
  std::string known;
  for (const named_size& size : list_) {
    if (size.name == name) return size.value;
    known += (known.empty() ? "" : ", ") + size.name;
  }
  throw specification_error(
      fmt::format("lab.cpp asks for the size \"{}\" of a case that has only: {}. Give every case (and both sizes of "
                  "the benchmark) the same names.",
                  name, known.empty() ? "no sizes" : known));
}

}  // namespace simtlab

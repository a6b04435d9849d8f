// What an object's code may not do, whatever its source says (docs/internals/finished-code.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verifier/object_code.h"

namespace simtlab::verifier {

struct problem {
  enum kind_of_problem : std::uint8_t {
    forbidden,  ///< no CUDA C++ comes to it
    unread,     ///< bytes that are no known instruction: nothing is said about the program
    unproven    ///< an access that no hook and no guard is known to stand for
  };
  kind_of_problem kind = forbidden;
  place where;
  std::string function, message;
};

/// Reads each instruction and each relocation once: time and memory grow with the object's size alone.
[[nodiscard]] std::vector<problem> check_code(const object_code&);

}  // namespace simtlab::verifier

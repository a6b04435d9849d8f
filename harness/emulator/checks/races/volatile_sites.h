// Sites of the program's code whose accesses are volatile: a read there is strong (docs/internals/races.md, Volatile accesses).
// Written while lanes run, by the one host thread of such a launch.
#pragma once

#include "checks/races/site_table.h"
#include "core/types.h"

namespace simtlab::emulator {

class volatile_sites {
 public:
  void mark(site where) { sites_.at(where) = 1; }
  [[nodiscard]] bool contains(site where) const { return sites_.of(where) != 0; }

 private:
  site_table<unsigned char> sites_;
};

}  // namespace simtlab::emulator

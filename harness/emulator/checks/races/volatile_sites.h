// Sites of the program's code whose accesses are volatile: a read there is strong (docs/internals/races.md, Volatile accesses).
// Written while lanes run, by the one host thread of such a launch.
#pragma once

#include <vector>

#include "core/types.h"

namespace simtlab::emulator {

class volatile_sites {
 public:
  void mark(site where) {
    if (where >= sites_.size()) sites_.resize(where + std::size_t{1024});
    sites_[where] = true;
  }
  [[nodiscard]] bool contains(site where) const { return where < sites_.size() && sites_[where]; }

 private:
  std::vector<bool> sites_;
};

}  // namespace simtlab::emulator

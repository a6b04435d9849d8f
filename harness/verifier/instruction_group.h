// capstone's groups of instructions: jumps, calls, what needs privileges.
#pragma once

#include <capstone/capstone.h>

#include <algorithm>
#include <cstdint>

namespace simtlab::verifier {

inline bool is_in(const cs_insn& i, unsigned group) {
  const std::uint8_t* const begin = i.detail->groups;
  const std::uint8_t* const end = begin + i.detail->groups_count;
  return std::find(begin, end, group) != end;
}

}  // namespace simtlab::verifier

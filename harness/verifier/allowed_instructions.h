// Which instructions a submission's code may consist of, and what those with an operand in memory do there.
#pragma once

#include <optional>

#include "verifier/operation.h"

namespace simtlab::verifier {

/// Whether the instruction computes, compares, moves or jumps, and touches no memory but its operand's and the stack's.
[[nodiscard]] bool is_allowed(const operation&);

/// Copies to where %rdi points, from where %rsi points, or fills; as often as %rcx says if it repeats.
struct string_operation {
  unsigned bytes;
  bool copies, repeats;
};
[[nodiscard]] std::optional<string_operation> string_operation_of(const operation&);

struct memory_use {
  bool reads = false, writes = false;
  unsigned bytes = 0;
};
/// Of an allowed instruction that has an operand in memory.
[[nodiscard]] memory_use use_of_memory(const operation&);

}  // namespace simtlab::verifier

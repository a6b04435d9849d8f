// What is known of an opcode: one row, one function. The tables are compiled twice, for processors with AVX2 and for all others.
#pragma once

#include <string_view>

#include "sass/instruction.h"

namespace simtlab::emulator::sass {

/// How an immediate without 0x is meant: as a number of that format.
enum class number_format : std::uint8_t { integer, float32, float64, half, bfloat };

struct opcode_rule {
  std::string_view name;
  handler run;
  std::string_view modifiers;  ///< that it may have, separated by blanks
  number_format format = number_format::integer;
  bool is_uniform = false;  ///< of the uniform data path
  void (*prepare)(instruction&) =
      nullptr;  ///< sets `variant`, `width`; throws unreadable_code for what it does not know
};

/// Null where there is no such opcode.
[[nodiscard]] const opcode_rule* find_opcode(std::string_view name);
/// The same for processors without AVX2, for tests.
[[nodiscard]] const opcode_rule* find_plain_opcode(std::string_view name);

}  // namespace simtlab::emulator::sass

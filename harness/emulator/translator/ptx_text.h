// The text of an `asm` statement, split into PTX instructions: registers, predicates, operands. What an instruction means is
// translator/ptx_instructions.h's to say.
//
// Source of the grammar: NVIDIA, "Parallel Thread Execution ISA", chapters "Syntax" and "Instruction Operands".
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

/// What is wrong with the text, and what to do. `offset`: where in the text.
class ptx_error : public std::runtime_error {
 public:
  ptx_error(std::size_t where, const std::string& what_is_found, std::string what_to_do)
      : std::runtime_error(what_is_found), offset(where), advice(std::move(what_to_do)) {}

  std::size_t offset;
  std::string advice;
};

enum class ptx_operand_kind : std::uint8_t { value, address, vector, sink };

/// What a register was declared for. Words of no type (`.b32`, the constraints `r`, `l` and `h`) take all.
enum class ptx_held : std::uint8_t { anything, integer, floating };

/// A value is C++: a variable's name, a number, a call. An address is that and a number of bytes, a vector some values.
struct ptx_operand {
  ptx_operand_kind kind = ptx_operand_kind::value;
  std::string value;
  bool is_literal = false;  ///< a number of the text, or an operand `n`
  ptx_held held = ptx_held::anything;
  std::string predicate;             ///< behind `|`: the second destination
  std::vector<std::string> members;  ///< of a vector; a sink's is empty
};

struct ptx_instruction {
  std::size_t offset = 0;              ///< in the text
  std::string guard;                   ///< C++: only if this is true; empty: always
  std::string written;                 ///< `ld.global.u32`
  std::string name;                    ///< `ld`
  std::vector<std::string> modifiers;  ///< `global`, `u32`
  std::vector<ptx_operand> operands;
};

/// What stands between two instructions: a brace, or registers that are declared.
struct ptx_statement {
  std::string cpp;  ///< empty: an instruction
  ptx_instruction instruction;
};

/// `operands`: the letters of the `asm` statement's operands, `rlfdhn`; `%0` becomes `simtlab_0`. Throws ptx_error.
[[nodiscard]] std::vector<ptx_statement> parse_ptx(std::string_view text, std::string_view operands);

}  // namespace simtlab::emulator

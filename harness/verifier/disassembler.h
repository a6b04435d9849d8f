// Machine code, one instruction after the other, by capstone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

struct cs_insn;

namespace simtlab::verifier {

struct instruction {
  std::uint64_t at = 0, end = 0;  ///< offsets in its section
  std::optional<std::uint64_t>
      names;                ///< a place that it jumps to, calls, or addresses by its distance; before relocation
  bool goes = false;        ///< a direct jump or call
  bool is_padding = false;  ///< does nothing
  /// How it takes part in a jump that its data decide.
  enum form_of_instruction : std::uint8_t {
    other,
    comparison,   ///< of `reg` and `number`
    above,        ///< a jump if the former was the greater one
    table_jump,   ///< to one of the places of a table, by `reg`
    pointer_jump  ///< or call, to whatever place a register or memory holds
  };
  form_of_instruction form = other;
  unsigned reg = 0;  ///< capstone's
  std::uint64_t number = 0;
  bool reaches_system = false;  ///< calls the system, needs its privileges, or moves state past every hook
  std::string name;             ///< only of one that reaches the system
};

class disassembler {
 public:
  disassembler();
  ~disassembler();
  disassembler(const disassembler&) = delete;  // owns capstone's handle
  disassembler& operator=(const disassembler&) = delete;

  /// The instruction that begins at `at`, which ends before `end`; nothing where there is none.
  [[nodiscard]] std::optional<instruction> next(const std::vector<std::uint8_t>& code, std::uint64_t at,
                                                std::uint64_t end) const;

 private:
  std::size_t handle_ = 0;
  cs_insn* decoded_ = nullptr;
};

}  // namespace simtlab::verifier

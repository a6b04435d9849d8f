// One machine instruction, taken apart by capstone, with the relocations of its operands.
#pragma once

#include <capstone/capstone.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "verifier/object_code.h"

namespace simtlab::verifier {

inline constexpr int no_register = -1;
/// The sixteen general registers in the order of their encoding.
enum general : int { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };

struct operand {
  enum kind_of_operand : std::uint8_t { none, general_register, other_register, immediate, memory };
  kind_of_operand kind = none;
  int reg = no_register;   ///< of a general register
  std::uint8_t bytes = 0;  ///< as capstone tells them
  bool is_high = false;    ///< ah, bh, ch, dh
  std::int64_t value = 0;  ///< an immediate's, or a memory operand's displacement
  int base = no_register, index = no_register;
  int scale = 1;
  bool is_rip = false, is_fs = false, is_odd = false;  ///< odd: a segment or register that is not known here
  const relocation* symbol = nullptr;
};

/// Where a function's code lies.
struct code_range {
  std::string name;
  place begin;
  std::uint64_t size = 0;
  std::vector<catching> calls;
};

struct operation {
  std::uint64_t at = 0, end = 0;
  unsigned id = 0;  ///< x86_insn
  std::array<operand, 4> operands;
  int count = 0;
  std::uint8_t prefix = 0;    ///< rep, repne or lock
  std::uint16_t written = 0;  ///< general registers, those that are not named included
  bool is_jump = false, is_conditional = false;
  [[nodiscard]] const operand* memory() const {
    for (int i = 0; i < count; ++i)
      if (operands[static_cast<std::size_t>(i)].kind == operand::memory) return &operands[static_cast<std::size_t>(i)];
    return nullptr;
  }
};

/// Takes functions apart, one after the other.
class decoder {
 public:
  decoder();
  ~decoder();
  decoder(const decoder&) = delete;  // owns capstone's handle
  decoder& operator=(const decoder&) = delete;

  /// Empty when some byte is not of an instruction.
  [[nodiscard]] std::vector<operation> take_apart(const object_code&, const code_range&) const;
  [[nodiscard]] std::string name_of(unsigned id) const;

 private:
  csh handle_ = 0;
};

}  // namespace simtlab::verifier

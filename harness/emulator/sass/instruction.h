// A machine instruction as it is executed: its handler, and operands that need no more reading.
#pragma once

#include <array>
#include <cstdint>

#include "sass/modifiers.h"

namespace simtlab::emulator::sass {

class warp;
struct instruction;

/// Executes it for the lanes of the warp's active group.
using handler = void (*)(warp&, const instruction&);

enum class operand_kind : std::uint8_t {
  none,
  reg,                ///< R0 to R254; RZ is 255
  uniform,            ///< UR0 to UR62; URZ is 63
  predicate,          ///< P0 to P6; PT is 7
  uniform_predicate,  ///< UP0 to UP6; UPT is 7
  all_predicates,     ///< PR
  immediate,          ///< `value` has its bits; of doubles all 64
  constant,           ///< c[bank][index + uniform + value]
  address,            ///< [index * scale + uniform + value]
  special,            ///< SR_…: a special_register in `index`
  barrier             ///< B0 to B15, a convergence barrier
};

/// What makes a load or store one that may order threads (.STRONG).
enum class strong_access : std::uint8_t { none, by_volatile, by_atomic };

/// Of a register that holds two halves: both as they stand, or one of them twice.
enum half_selection : std::uint8_t { both_halves, low_half, high_half };

inline constexpr std::uint16_t no_register = 0xffff;
inline constexpr std::uint16_t zero_register = 255, zero_uniform = 63, true_predicate = 7;

struct operand {
  operand_kind kind = operand_kind::none;
  bool is_negated = false;   ///< -R1, !P0
  bool is_absolute = false;  ///< |R1|
  bool is_inverted = false;  ///< ~R1
  bool is_wide = false;      ///< [R2.64], [UR4.64]
  std::uint8_t bank = 0;
  std::uint8_t scale = 1;               ///< [R2.X4]
  std::uint8_t half = 0;                ///< which 16 bits of it are meant: half_selection
  std::uint8_t value_byte = 0;          ///< R5.B1: which byte is meant
  std::uint16_t index = no_register;    ///< the register's number; of constants and addresses the vector register
  std::uint16_t uniform = no_register;  ///< of constants and addresses
  std::uint64_t value = 0;
};

inline constexpr std::uint8_t no_type = 255;
inline constexpr std::size_t most_operands = 10;
inline constexpr std::uint32_t instruction_bytes = 16;

struct instruction {
  handler run = nullptr;
  operand guard;  ///< executed by the lanes for which it holds; PT where none is written
  std::uint8_t count = 0;
  std::uint8_t width = 4;     ///< bytes per lane, of instructions that access memory
  bool is_uniform = false;    ///< of the uniform data path: once per warp
  bool begins_block = false;  ///< a branch may lead here, or a branch stands before
  bool is_guess =
      false;  ///< a load of what a CAST.SPIN behind it compares with: both are one atomic operation of the source
  bool is_for_all = false;  ///< an atomic operation that one lane makes for all that are active
  strong_access strength = strong_access::none;
  std::uint32_t number = 0;   ///< among all of the module: its address is 16 times that
  std::uint32_t origin = 0;   ///< number of the function's first instruction: relative addresses count from there
  std::uint32_t target = 0;   ///< of a branch: the instruction's number
  std::uint32_t variant = 0;  ///< what the handler's `prepare` found out of the modifiers
  modifier_set modifiers;
  /// The first two words that name a number's type, as modifiers' numbers, in their order: F2F.F64.F32 is another one than F2F.F32.F64.
  std::array<std::uint8_t, 2> types{no_type, no_type};
  [[nodiscard]] bool has(std::size_t modifier) const { return modifiers[modifier]; }
  std::array<operand, most_operands> operands;
};

}  // namespace simtlab::emulator::sass

// The words behind an opcode's dots, as bits of a set: IMAD.WIDE.U32 has WIDE and U32.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string_view>

namespace simtlab::emulator::sass {

inline constexpr std::string_view all_modifiers =
    "128 16x2 1D 2A 2D LO 32 3D 4A 64 ABS ACC ADD ALL AND ANY ARV ASYNC BF BF16 BF16_V2 BF16x2 BFLY BYPASS "
    "CALL CAS CAST CEIL CLEAR COLLECTIVE CONSTANT CONV COS CTA D DEC DEFER_BLOCKING DIV DIVIDE DOWN E EF EL "
    "EQ EQU EX EX2 EXCH EXCLUSIVE F F16 F16x2 F32 F64 FLOOR FTZ GE GEU GPU GT GTU HI IADD IDX INC IVALL L LE "
    "LEU LG2 LL LT LTC128B LTC256B LTC64B LTU LU LUT LZ MAX MIN MMA MOV NA NAN NE NEU NODEC NOFTZ NOINC NTZ "
    "NUM OR PACK_AB PAND PF1 PF2 POPC PRIVATE R RCP RCP64H RED REL RELU RESULT RM RN RP RSQ RSQ64H RZ S S16 "
    "S16x2 S32 S64 S8 SAT SC SCR SH SHL SIN SM SPIN SQRT STRONG SUM SX32 SYNC SYS T TANH TRAP TRUNC U U16 "
    "U16x2 U32 U64 U8 UP VIEW W WARP WEAK WIDE X XOR";
inline constexpr std::size_t modifier_count = std::ranges::count(all_modifiers, ' ') + 1;
inline constexpr auto modifier_words = [] {
  std::array<std::string_view, modifier_count> words;
  std::size_t begin = 0;
  for (std::string_view& word : words) {
    word = all_modifiers.substr(begin, all_modifiers.find(' ', begin) - begin);
    begin += word.size() + 1;
  }
  return words;
}();
using modifier_set = std::bitset<modifier_count>;

/// The word's number; nothing for one that is not known.
constexpr std::optional<std::size_t> modifier_number(std::string_view word) {
  for (std::size_t i = 0; i < modifier_count; ++i)
    if (modifier_words[i] == word) return i;
  return std::nullopt;
}

/// The number of a word of the list: "WIDE"_m. No program that names another one compiles.
consteval std::size_t operator""_m(const char* word, std::size_t length) {
  return modifier_number({word, length}).value();
}

}  // namespace simtlab::emulator::sass

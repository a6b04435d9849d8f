// The words behind an opcode's dots, as bits of a set: IMAD.WIDE.U32 has WIDE and U32.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string_view>

namespace simtlab::emulator::sass {

inline constexpr std::string_view modifier_words[] = {
    "128",       "16",      "32",      "4",          "64",         "8",
    "A",         "ADD",     "ALL",     "AND",        "ANY",        "ARRIVE",
    "ARV",       "B",       "BF16",    "BF16_V2",    "BFLY",       "C",
    "CAS",       "CAST",    "CEIL",    "CLEAR",      "COLLECTIVE", "CONSTANT",
    "CONV",      "COS",     "CTA",     "D",          "DEC",        "DEFER_BLOCKING",
    "DIV",       "DOWN",    "E",       "EF",         "EL",         "ELU",
    "EQ",        "EQU",     "EX",      "EX2",        "EXCH",       "F",
    "F16",       "F16x2",   "F32",     "F64",        "FLOOR",      "FTZ",
    "GE",        "GEU",     "GPU",     "GT",         "GTU",        "H0_H0",
    "H0_NH1",    "H1_H1",   "HI",      "IADD",       "IDX",        "INC",
    "IVALL",     "L",       "LE",      "LEU",        "LG2",        "LO",
    "LT",        "LTC128B", "LTC256B", "LTC64B",     "LU",         "LUT",
    "MAX",       "MIN",     "MMA",     "MOV",        "MULTI",      "NA",
    "NAN",       "NE",      "NEU",     "NODEC",      "NODEP",      "NOFTZ",
    "NOINC",     "NTZ",     "NUM",     "OR",         "PACK_AB",    "PAND",
    "POPC",      "POR",     "PR",      "PXOR",       "QUAD",       "R",
    "RCP",       "RCP64H",  "READ",    "RED",        "REL",        "RELU",
    "REUSE",     "RM",      "RN",      "ROUND",      "RP",         "RSQ",
    "RSQ64H",    "RZ",      "S16",     "S32",        "S64",        "S8",
    "SAFEADD",   "SAT",     "SC",      "SH",         "SHL",        "SIN",
    "SM",        "SPIN",    "SQRT",    "STRONG",     "SX32",       "SXT",
    "SYNC",      "SYS",     "T",       "TANH",       "TRUNC",      "TRYWARP",
    "U",         "U16",     "U32",     "U64",        "U8",         "UP",
    "V2",        "VIADD",   "W",       "WIDE",       "X",          "XOR",
    "XORSIGN",   "ABS",     "F32x2",   "INVALIDATE", "LUTL",       "WARP",
    "VIADDMNMX", "ADDR",    "ALLSEQ",  "RAW",        "EXCLUSIVE",  "PREFETCH",
    "RESET",     "U4",      "U2",      "XHI",        "XLO",        "GT16",
    "MBAR",      "BYPASS",  "ASYNC",   "VIEW",       "ONLY",       "IVALLP",
    "RML2",      "PML1",    "EN",      "LTC",        "ZFILL",      "SW",
    "PIPE",      "LD",      "VOTE",    "TRAP",       "INT",        "DRAIN",
    "CAUSE",     "PAUSE",   "NC",      "SX16",       "B32",        "B16",
    "B8",        "FENCE",   "REP",     "WEAK",       "GDEP",       "VC",
    "DEPBAR",    "CS",      "BAR",     "TEX",        "LL",         "LZ",
    "1D",        "2D",      "3D",      "CUBE",       "ARRAY_1D",   "ARRAY_2D",
    "AOFFI",     "SCR",     "PHASE",   "CI",         "VIM"};

inline constexpr std::size_t modifier_count = std::size(modifier_words);
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

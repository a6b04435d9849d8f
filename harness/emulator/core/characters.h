// Classes of characters in C++ source and in input files; unlike those of <cctype> whatever the locale.
#pragma once

namespace simtlab::emulator {

/// Of a decimal number.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Of an identifier behind its first character.
constexpr bool is_in_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace simtlab::emulator

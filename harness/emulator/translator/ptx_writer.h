// One PTX instruction on its way to C++: its modifiers, each of which is taken once, and its operands. What the instruction does is
// said by who derives from this: translator/ptx_values.h what computes, translator/ptx_instructions.h the rest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "translator/ptx_text.h"

namespace simtlab::emulator {

class ptx_writer {
 public:
  explicit ptx_writer(const ptx_instruction& instruction) : in_(instruction), left_(instruction.modifiers) {}

 protected:
  [[noreturn]] void fail(const std::string& what, std::string advice) const;
  [[noreturn]] void fail_unknown() const;
  void expect_operands(std::size_t least, std::size_t most) const;
  void expect_operands(std::size_t count) const { expect_operands(count, count); }

  // Modifiers: each is taken once, and none may be left. A list has its words divided by blanks.
  static bool is_in_list(std::string_view word, std::string_view list);
  bool take(std::string_view modifier);
  std::string take_one_of(std::string_view list);
  void expect_no_more() const;
  std::string take_type(std::string_view list);

  /// Of include/simtlab/ptx.h, where all functions and types of the C++ are.
  static std::string of_header(std::string_view name) { return "::simtlab::ptx::" + std::string(name); }
  static std::string cpp_type(std::string_view type);

  // Operands
  [[nodiscard]] const ptx_operand& operand(std::size_t i) const { return in_.operands[i]; }
  [[nodiscard]] const std::string& value(std::size_t i) const;
  static std::string read(const std::string& type, const std::string& what) {
    return of_header("as<") + type + ">(" + what + ")";
  }
  [[nodiscard]] std::string as(const std::string& type, std::size_t i) const {
    expect_held(type, i);
    return read(type, value(i));
  }
  /// Fails for a register that was declared for floating-point numbers where the instruction has integers, and the reverse, as
  /// ptxas does: words of no type take both.
  void expect_held(const std::string& type, std::size_t i) const;
  [[nodiscard]] std::string word(std::size_t i) const { return as(of_header("b32"), i); }
  [[nodiscard]] std::string predicate(std::size_t i) const { return of_header("is(") + value(i) + ")"; }
  [[nodiscard]] std::string put(const std::string& type, std::size_t i, const std::string& what,
                                const char* function = "put") const;
  [[nodiscard]] std::string set(std::size_t i, const std::string& what) const;
  /// A number known when the program is compiled, as C++ of its value.
  [[nodiscard]] std::string constant(std::size_t i) const;

  // State spaces
  std::string take_space() { return take_one_of("global shared shared::cta const local"); }
  static bool is_shared(std::string_view memory) { return memory.starts_with("shared"); }
  [[nodiscard]] std::string address(const std::string& type, std::size_t i, const std::string& memory) const;

  const ptx_instruction& in_;
  std::vector<std::string> left_;  // modifiers that nobody has taken yet
};

}  // namespace simtlab::emulator

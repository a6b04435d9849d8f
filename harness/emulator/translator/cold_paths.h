// The cold paths of a function's inline hooks, which seldom run, written behind its last instruction so that all else goes
// straight on. Each is told as made at its hook's line, and with the stack as it is there, so that debuggers and unwinders
// see the same on both ways.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

class cold_paths {
 public:
  /// To be called with every line of the assembly; writes what was added in front of the function's end.
  void look_at(std::string_view line, std::string& out);
  /// `code`: of the line that was looked at last; it must not go on at its end.
  void add(std::string code);
  /// Writes what is left; for the text's end.
  void write(std::string& out);

 private:
  using unwind_rules = std::vector<std::string_view>;  // directives in force
  struct path {
    std::string_view line;  ///< the `.loc` in force
    unwind_rules rules;
    std::string code;
  };
  void look_at_rule(std::string_view directive);

  bool in_function_ = false;  ///< that has unwind rules
  std::string_view line_;
  unwind_rules rules_;
  std::vector<unwind_rules> remembered_;
  std::vector<path> paths_;
};

}  // namespace simtlab::emulator

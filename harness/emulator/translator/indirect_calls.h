// Calls and jumps through pointers go where a function begins, and nowhere else.
//
//   call *%rax, jmp *8(%rdi)    become a call or jump of `simtlab_indirect_call`, which looks where it leads
//                               (runtime/call_targets.cpp)
//   jmp *.L4(,%rax,8)           the table of a `switch`: a comparison with the table's length stands directly in front of it
//   call getenv                 a function of a library, which has no hooks, and that no GPU has: the same, so that no kernel
//                               gets there
//
// Each object lists the functions that it defines in section `simtlab_functions`, together with those of libraries that a kernel
// may call; other functions of libraries that it names stand in `simtlab_host_functions`, and its own that have no version for the
// device in `simtlab_own_host_functions`. Assembly by g++ for x86-64 alone.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace simtlab::emulator {

class indirect_calls {
 public:
  /// `text` is the whole file's and must outlive this object.
  /// `is_of_emulator`: whether calls of the function go to the emulator, which has a hook for it.
  indirect_calls(std::string_view text, bool (*is_of_emulator)(std::string_view));

  /// What replaces the line; empty if it stays.
  [[nodiscard]] std::string replaced(std::string_view line) const;
  /// To be called for every line: learns whose addresses are taken.
  void look_at(std::string_view line);
  /// The table's entry for a function that the object defines in section group `group`, or in none.
  [[nodiscard]] static std::string entry(std::string_view function, std::string_view group);
  [[nodiscard]] static std::string entry_for_hosts(std::string_view function);
  /// The assembly `text` with the entries of these functions in the table of the program's own that are for host code alone.
  [[nodiscard]] static std::string apart(std::string text, const std::vector<std::string>& for_hosts_alone);
  /// Whether the function is a library's, and for host code alone.
  [[nodiscard]] bool is_for_hosts(std::string_view name) const;
  /// Functions of others whose addresses the object takes, as it names them, and those that are for host code alone.
  [[nodiscard]] std::set<std::string_view> foreign() const;

 private:
  void look_at_operand(std::string_view operand, bool is_address);

  bool (*is_of_emulator_)(std::string_view);
  std::unordered_map<std::string_view, std::size_t> tables_;  ///< of labels, and their lengths
  std::unordered_set<std::string_view> defined_;
  std::set<std::string_view> named_;
};

}  // namespace simtlab::emulator

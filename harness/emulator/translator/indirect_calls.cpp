#include "translator/indirect_calls.h"

#include <algorithm>
#include <array>

#include "spaces/device_library.h"
#include "translator/assembly_symbol.h"
#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

/// What stands behind the star of a call or jump through a pointer.
struct indirection {
  std::string_view target;
  bool calls = false;
};

indirection indirection_of(std::string_view line) {
  for (const std::string_view word : {"\tcall\t*", "\tnotrack call\t*"})
    if (line.starts_with(word)) return {line.substr(word.size()), true};
  for (const std::string_view word : {"\tjmp\t*", "\tnotrack jmp\t*"})
    if (line.starts_with(word)) return {line.substr(word.size()), false};
  return {};
}

/// The function that the line calls, or goes on in, by its name; empty if there is none.
std::string_view direct_target(std::string_view line) {
  for (const std::string_view word : {"\tcall\t", "\tjmp\t"}) {
    if (!line.starts_with(word)) continue;
    std::string_view name = line.substr(word.size());
    if (name.ends_with("@PLT")) name.remove_suffix(4);
    const bool is_name = !name.empty() && name.front() != '.' && (name.front() < '0' || name.front() > '9') &&
                         std::all_of(name.begin(), name.end(), is_in_symbol);
    return is_name ? name : std::string_view();
  }
  return {};
}

/// Functions that no check can follow, for they do not come back, and those that the compiler calls on its own.
bool is_of_compiler(std::string_view name) {
  constexpr std::array<std::string_view, 13> ends{"abort",
                                                  "exit",
                                                  "_exit",
                                                  "quick_exit",
                                                  "_Exit",
                                                  "_Unwind_Resume",
                                                  "__cxa_throw",
                                                  "__cxa_rethrow",
                                                  "__cxa_bad_cast",
                                                  "__stack_chk_fail",
                                                  "_ZSt9terminatev",
                                                  "__cxa_bad_typeid",
                                                  "__cxa_throw_bad_array_new_length"};
  const bool is_arithmetic =
      name.starts_with("__") && !name.ends_with("_chk") && name.back() >= '0' && name.back() <= '9';
  return std::find(ends.begin(), ends.end(), name) != ends.end() || name.find("__throw_") != std::string_view::npos ||
         name.starts_with("__cxa_call_") || name.starts_with("__cxa_guard_") || is_arithmetic;
}

/// `.L4` and `%rax` of `.L4(,%rax,8)`.
struct entry_of_table {
  std::string_view table, index;
};
entry_of_table entry_in(std::string_view target) {
  const std::size_t open = target.find("(,");
  if (!target.starts_with(".L") || open == std::string_view::npos || !target.ends_with(",8)")) return {};
  return {target.substr(0, open), target.substr(open + 2, target.size() - open - 2 - 3)};
}

}  // namespace

indirect_calls::indirect_calls(std::string_view text, bool (*is_of_emulator)(std::string_view))
    : is_of_emulator_(is_of_emulator) {
  std::string_view label;
  std::size_t count = 0;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with("\t.quad\t.L") && !label.empty()) {
      ++count;
      continue;
    }
    if (count > 0) tables_[label] = count;
    count = 0;
    const bool is_label = line.ends_with(':') && !line.starts_with('\t');
    label = is_label ? line.substr(0, line.size() - 1) : std::string_view();
    if (is_label) defined_.insert(label);
    for (const std::string_view word : {"\t.comm\t", "\t.lcomm\t", "\t.set\t"})
      if (line.starts_with(word)) defined_.insert(line.substr(word.size(), line.find(',') - word.size()));
  }
  if (count > 0) tables_[label] = count;
}

std::string indirect_calls::replaced(std::string_view line) const {
  if (const std::string_view name = direct_target(line); !name.empty() && is_for_hosts(name))
    return "\tleaq\t" + std::string(name) + "(%rip), %r11\n" + (line.starts_with("\tcall") ? "\tcall\t" : "\tjmp\t") +
           "simtlab_indirect_call";
  const auto [target, calls] = indirection_of(line);
  if (target.empty()) return {};
  const auto [table, index] = entry_in(target);
  if (const auto found = tables_.find(table); !calls && found != tables_.end())
    return "\tcmpq\t$" + std::to_string(found->second - 1) + ", " + std::string(index) +
           "\n\tja\tsimtlab_jump_astray\n" + std::string(line);
  const bool is_register = target.starts_with('%') && target.find(':') == std::string_view::npos;
  return std::string(is_register ? "\tmovq\t" : "\tleaq\t") + std::string(target) + ", %r11\n" +
         (calls ? "\tcall\t" : "\tjmp\t") + "simtlab_indirect_call" + (is_register ? "" : "_at");
}

bool indirect_calls::is_for_hosts(std::string_view name) const {
  return !defined_.contains(name) && !name.starts_with("simtlab_") && !name.starts_with("__tsan_") &&
         !name.starts_with("__sanitizer_") && !name.starts_with("__ubsan_") && !name.starts_with("__asan_") &&
         !is_of_emulator_(name) && !has_device_version(name, false) && !is_of_compiler(name);
}

void indirect_calls::look_at(std::string_view line) {
  if (const std::string_view name = direct_target(line); !name.empty() && is_for_hosts(name)) named_.insert(name);
  const std::size_t words = line.find('\t', 1);
  if (words == std::string_view::npos || !line.starts_with('\t')) return;
  const bool is_quad = line.starts_with("\t.quad\t");
  if (!is_quad && (line[1] == '.' || line.starts_with("\tcall") || line.starts_with("\tj"))) return;
  const bool is_lea = line.starts_with("\tlea");
  std::string_view rest = line.substr(words + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    std::string_view operand = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (operand.starts_with(' ')) operand.remove_prefix(1);
    constexpr std::string_view by_table = "@GOTPCREL(%rip)", relative = "(%rip)";
    if (operand.ends_with(by_table))
      look_at_operand(operand.substr(0, operand.size() - by_table.size()), true);
    else if (is_lea && operand.ends_with(relative))
      look_at_operand(operand.substr(0, operand.size() - relative.size()), true);
    else if (operand.starts_with('$'))
      look_at_operand(operand.substr(1), true);
    else
      look_at_operand(operand, is_quad);
  }
}

void indirect_calls::look_at_operand(std::string_view operand, bool is_address) {
  if (!is_address || operand.empty() || operand.front() == '.' || (operand.front() >= '0' && operand.front() <= '9'))
    return;
  if (std::all_of(operand.begin(), operand.end(), is_in_symbol)) named_.insert(operand);
}

std::string indirect_calls::entry(std::string_view function, std::string_view group) {
  return (group.empty() ? std::string("\t.pushsection simtlab_functions,\"a\",@progbits\n")
                        : "\t.pushsection simtlab_functions,\"aG\",@progbits," + std::string(group) + ",comdat\n") +
         "\t.balign 8\n\t.quad " + std::string(function) + "\n\t.popsection\n";
}

std::string indirect_calls::entry_for_hosts(std::string_view function) {
  return "\t.pushsection simtlab_host_functions,\"a\",@progbits\n\t.balign 8\n\t.quad " + std::string(function) +
         "\n\t.popsection\n";
}

std::string indirect_calls::apart(std::string text, const std::vector<std::string>& for_hosts_alone) {
  constexpr std::string_view table = "\t.pushsection simtlab_functions,", name = "\t.quad ",
                             own = "simtlab_own_host_functions,";
  const std::unordered_set<std::string_view> names(for_hosts_alone.begin(), for_hosts_alone.end());
  std::string result;
  std::size_t copied = 0;
  for (std::size_t at = text.find(table); !names.empty() && at != std::string::npos; at = text.find(table, at + 1)) {
    const std::size_t begin = text.find(name, at), end = text.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string_view function = std::string_view(text).substr(begin + name.size(), end - begin - name.size());
    if (!names.contains(function)) continue;
    const std::size_t section = at + std::string_view("\t.pushsection ").size();
    result.append(text, copied, section - copied).append(own);
    copied = at + table.size();
  }
  if (copied == 0) return text;
  return result.append(text, copied);
}

std::set<std::string_view> indirect_calls::foreign() const {
  std::set<std::string_view> found;
  for (const std::string_view name : named_)
    if (!defined_.contains(name) && !name.starts_with("simtlab_") && !name.starts_with("__tsan_")) found.insert(name);
  return found;
}

}  // namespace simtlab::emulator

#include "translator/launch_bounds.h"

#include <cstddef>
#include <unordered_map>

#include "translator/take_line.h"

namespace simtlab::emulator {
namespace {

using bounds = std::unordered_map<std::string_view, std::size_t>;  ///< threads, by symbol

constexpr std::string_view nop_section = "__patchable_function_entries";

std::string_view behind(std::string_view line, std::string_view begin) {
  return line.starts_with(begin) ? line.substr(begin.size()) : std::string_view();
}

/// `k` of `\t.type\tk, @function`; empty for any other line.
std::string_view function_of(std::string_view line) {
  const std::string_view name = behind(line, "\t.type\t");
  const std::size_t comma = name.find(',');
  return comma != std::string_view::npos && name.find("function", comma) != std::string_view::npos
             ? name.substr(0, comma)
             : std::string_view();
}

/// `k` of `\tcall\tk` and `\tjmp\tk`, and of AArch64's `bl` and `b`.
std::string_view called_in(std::string_view line) {
  for (const std::string_view operation : {"\tcall\t", "\tjmp\t", "\tbl\t", "\tb\t"})
    if (const std::string_view to = behind(line, operation); !to.empty())
      return to.substr(0, to.find_first_of(" \t#@/"));
  return {};
}

bool begins_section(std::string_view line) {
  return line.starts_with("\t.section") || line == "\t.text" || line == "\t.data" || line == "\t.bss";
}

/// The name of the group that `\t.section name,"axG",@progbits,group,comdat` begins.
std::string_view group_of(std::string_view line) {
  constexpr std::string_view end = ",comdat";
  const std::size_t comdat = line.rfind(end);
  if (comdat == std::string_view::npos) return {};
  return line.substr(line.rfind(',', comdat - 1) + 1, comdat - line.rfind(',', comdat - 1) - 1);
}

class nop_reader {
 public:
  explicit nop_reader(std::string_view text) : text_(text) {}

  /// The assembly without `nop`s in front of entries; `found` gets their numbers.
  std::string run(bounds& found) {
    std::string out;
    out.reserve(text_.size());
    bool in_table = false, in_front = false;
    std::size_t nops = 0;
    while (!text_.empty()) {
      const std::string_view line = take_line(text_);
      if (begins_section(line)) in_table = line.find(nop_section) != std::string_view::npos;
      if (in_table) continue;
      if (line.starts_with(".LPFE")) {
        in_front = true;
        nops = 0;
        continue;
      }
      if (in_front && line.starts_with("\tnop")) {
        ++nops;
        continue;
      }
      if (const std::string_view name = function_of(line); in_front && !name.empty()) {
        if (nops > 0) found.emplace(name, nops);
        in_front = false;
      }
      (out += line) += '\n';
    }
    return out;
  }

 private:
  std::string_view text_;
};

/// Who calls a kernel is the function that runs it for a launch: nobody else may.
void add_callers(std::string_view text, bounds& known) {
  for (bool grew = true; grew;) {
    grew = false;
    std::string_view rest = text, function;
    while (!rest.empty()) {
      const std::string_view line = take_line(rest);
      if (const std::string_view name = function_of(line); !name.empty()) function = name;
      if (line.starts_with("\t.size\t")) function = {};
      const std::string_view to = called_in(line);
      if (function.empty() || to.empty() || known.contains(function)) continue;
      if (const auto kernel = known.find(to); kernel != known.end())
        grew = known.emplace(function, kernel->second).second;
    }
  }
}

std::string record(std::string_view function, std::size_t threads, std::string_view group) {
  std::string text = "\t.pushsection simtlab_launch_bounds,\"a";
  text += group.empty() ? std::string("\",@progbits\n") : "G\",@progbits," + std::string(group) + ",comdat\n";
  return text + "\t.balign 8\n\t.quad " + std::string(function) + "\n\t.quad " + std::to_string(threads) +
         "\n\t.popsection\n";
}

}  // namespace

std::string record_launch_bounds(std::string_view assembly) {
  if (assembly.find(nop_section) == std::string_view::npos) return std::string(assembly);
  bounds known;
  const std::string plain = nop_reader(assembly).run(known);
  add_callers(plain, known);
  std::string out;
  out.reserve(plain.size());
  std::string_view rest = plain, group;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (begins_section(line)) group = group_of(line);
    if (const auto bound = known.find(function_of(line)); bound != known.end())
      out += record(bound->first, bound->second, group);
    (out += line) += '\n';
  }
  return out;
}

}  // namespace simtlab::emulator

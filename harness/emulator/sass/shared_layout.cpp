#include "sass/shared_layout.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>

#include "core/characters.h"
#include "core/types.h"

namespace simtlab::emulator::sass {
namespace {

struct declaration {
  std::string_view name;
  std::uint64_t alignment = 1, bytes = 0;
  bool is_dynamic = false;
};

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of(std::string_view("\n\0", 2)), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::uint64_t number_at(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// `.shared .align 4 .b8 name[1024];`, `.shared .align 4 .f32 name;`, `.extern .shared .align 16 .b8 name[];`
std::optional<declaration> declaration_in(std::string_view line) {
  constexpr std::string_view shared = ".shared .align ";
  const std::size_t at = line.find(shared);
  if (at == line.npos) return std::nullopt;
  declaration d;
  d.alignment = std::max<std::uint64_t>(1, number_at(line.substr(at + shared.size())));
  d.is_dynamic = line.find(".extern") < at;
  const std::size_t type = line.find('.', at + shared.size()), name = line.find(' ', std::min(type, line.size()));
  if (type == line.npos || name == line.npos) return std::nullopt;
  const std::size_t bits = std::min(line.find_first_of("0123456789", type), name);  // .b8, .u16, .s32, .f64
  const std::size_t end = line.find_first_of("[;", name);
  if (end == line.npos) return std::nullopt;
  d.name = line.substr(name + 1, end - name - 1);
  d.bytes = number_at(line.substr(bits)) / 8 * (line[end] == '[' ? number_at(line.substr(end + 1)) : 1);
  return d;
}

/// Whether the line is the first of the kernel `name`.
bool begins(std::string_view line, std::string_view name) {
  constexpr std::string_view entry = ".entry ";
  const std::size_t at = line.find(entry);
  if (at == line.npos) return false;
  const std::string_view rest = line.substr(at + entry.size());
  return rest.starts_with(name) && (rest.size() == name.size() || rest[name.size()] == '(');
}

bool is_in_symbol(char c) { return is_in_name(c) || c == '$'; }

bool mentions(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_in_symbol(line[at - 1])) && (end == line.size() || !is_in_symbol(line[end]))) return true;
  }
  return false;
}

}  // namespace

shared_layout shared_layout::of(std::string_view ptx, std::string_view kernel, std::uint64_t begin, std::uint64_t end) {
  std::vector<declaration> of_module, of_kernel;
  std::vector<bool> is_used;
  bool inside = false;
  std::ptrdiff_t depth = 0;  // of braces: 0 outside of functions
  while (!ptx.empty()) {
    const std::string_view line = next_line(ptx);
    depth += std::ranges::count(line, '{') - std::ranges::count(line, '}');
    if (begins(line, kernel)) inside = true;
    if (line.starts_with('}') && depth == 0) inside = false;
    if (const auto d = declaration_in(line)) {
      if (depth == 0) of_module.push_back(*d);
      if (inside) of_kernel.push_back(*d);
    } else if (inside) {
      is_used.resize(of_module.size());
      for (std::size_t i = 0; i < of_module.size(); ++i)
        if (!is_used[i] && mentions(line, of_module[i].name)) is_used[i] = true;
    }
  }
  shared_layout result;
  std::uint64_t at = begin;
  const auto place = [&](const declaration& d) {
    at = rounded_up(at, d.alignment);
    result.variables.push_back({std::string(d.name), at, d.bytes});
    at += d.bytes;
  };
  for (std::size_t i = 0; i < is_used.size(); ++i) {
    if (!is_used[i]) continue;
    of_module[i].is_dynamic ? void(result.dynamic = of_module[i].name) : place(of_module[i]);
  }
  for (const declaration& d : of_kernel) place(d);
  constexpr std::uint64_t filled_up_to = 16;  // .nv.shared ends at a multiple of what it holds
  if (rounded_up(at, filled_up_to) != rounded_up(end, filled_up_to)) result.variables.clear();
  return result;
}

}  // namespace simtlab::emulator::sass

#include "translator/memory_operands.h"

#include <algorithm>
#include <array>

#include "translator/known_values.h"

namespace simtlab::emulator {
namespace {

bool is_scalar(std::string_view name, std::string_view suffix, std::string_view rest) {
  return name.ends_with(suffix) && (rest.empty() || name.starts_with(rest));
}

long width_of(std::string_view name, const std::vector<std::string_view>& operands) {
  if (name.size() < 3 || operands.empty()) return 0;
  const bool has_xmm = std::any_of(operands.begin(), operands.end(), [](auto o) { return o.starts_with("%xmm"); });
  if (name.starts_with("set")) return 1;
  if ((name.starts_with("movz") && name.size() > 4) || (name.starts_with("movs") && name.size() == 6 && !has_xmm))
    return name[4] == 'b' ? 1 : name[4] == 'w' ? 2 : 4;
  if (name.starts_with("cmov")) return known_values::register_of(operands.back()).bytes;
  if (name.starts_with("cvtsi2") || name.starts_with("cvtt") || name.starts_with("cvt")) {
    if (name.starts_with("cvtsi2")) return name.ends_with('q') ? 8 : 4;
    if (name.find("ss2") != nowhere) return 4;
    if (name.find("sd2") != nowhere || name == "cvtps2pd" || name == "cvtdq2pd") return 8;
    return 16;
  }
  if (has_xmm) {
    if (name == "movd" || is_scalar(name, "ss", {})) return 4;
    if (name == "movq" || is_scalar(name, "sd", {}) || name == "movlps" || name == "movhps" || name == "movlpd" ||
        name == "movhpd")
      return 8;
    return name == "pinsrw" || name == "pextrw" ? 2 : 16;
  }
  if (name.starts_with('f')) {
    if (name == "fldcw" || name == "fnstcw" || name.ends_with('w')) return 2;
    if (name == "fldt" || name == "fstpt") return 10;
    if (name == "fildq" || name == "fistpq" || name == "fildll" || name == "fistpll" || name == "fisttpll") return 8;
    if (name.starts_with("fi")) return name.ends_with('l') ? 4 : 2;
    return name.ends_with('s') ? 4 : 8;
  }
  switch (name.back()) {
    case 'b':
      return 1;
    case 'w':
      return 2;
    case 'l':
      return 4;
    case 'q':
      return 8;
    default:
      return 0;
  }
}

}  // namespace

std::vector<std::string_view> operands_in(std::string_view rest) {
  std::vector<std::string_view> found;
  while (!rest.empty()) {
    std::size_t end = 0, depth = 0;
    while (end < rest.size() && (rest[end] != ',' || depth > 0)) {
      depth += rest[end] == '(';
      depth -= rest[end] == ')' && depth > 0;
      ++end;
    }
    std::string_view one = rest.substr(0, end);
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    found.push_back(one);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return found;
}

memory_use use_of(std::string_view name, const std::vector<std::string_view>& operands, std::size_t which) {
  constexpr std::array<std::string_view, 13> readers{"cmp", "test", "push", "ucomis", "comis", "div", "idiv",
                                                     "mul", "imul", "fld",  "fild",   "fi",    "bt"};
  memory_use use{width_of(name, operands), which + 1 == operands.size()};
  const bool stores_float = name.starts_with("fst") || name.starts_with("fist") || name.starts_with("fnst");
  if (!stores_float && std::any_of(readers.begin(), readers.end(), [&](auto r) { return name.starts_with(r); }))
    use.writes = false;
  if (name.starts_with('f') && !stores_float) use.writes = false;
  return use;
}

}  // namespace simtlab::emulator

#include "spaces/placed_variables.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "translator/retained_sections.h"
#include "translator/take_line.h"

namespace simtlab::emulator {

std::vector<placed_variable> placed_variables(std::string_view assembly) {
  std::vector<placed_variable> found;
  bool shared = false, device = false, constant = false;
  std::string_view symbol;
  std::size_t bytes = 0;
  while (!assembly.empty()) {
    std::string_view line = take_line(assembly);
    if (line.starts_with("\t.section\t")) {
      line.remove_prefix(10);
      shared = is_section_of_shared_memory(line);
      device = line.starts_with("simtlab_") || is_section_of_device_memory(line);
      constant = line.starts_with("simtlab_constant");
    } else if (line.starts_with("\t.text") || line.starts_with("\t.data") || line.starts_with("\t.bss")) {
      shared = device = false;
    } else if ((shared || device) && line.starts_with("\t.size\t")) {
      line.remove_prefix(7);
      const std::size_t comma = line.find(',');
      if (comma == std::string_view::npos || comma + 2 > line.size()) continue;
      symbol = line.substr(0, comma);
      bytes = 0;
      std::from_chars(line.data() + comma + 2, line.data() + line.size(), bytes);
    } else if ((shared || device) && line.ends_with(':') && line.substr(0, line.size() - 1) == symbol) {
      found.push_back({symbol, shared, bytes, device && constant});
    }
  }
  return found;
}

std::string with_internal_variables(const std::string& assembly) {
  constexpr std::string_view global = "\t.globl\t";
  std::unordered_set<std::string_view> internal;
  for (const placed_variable& v : placed_variables(assembly))
    if (!v.shared) internal.insert(v.symbol);
  std::string result;
  if (internal.empty()) return assembly;
  result.reserve(assembly.size());
  for (std::size_t at = 0; at < assembly.size();) {
    const std::size_t end = std::min(assembly.find('\n', at), assembly.size() - 1) + 1;
    const std::string_view line = std::string_view(assembly).substr(at, end - at);
    at = end;
    if (line.starts_with(global) && internal.contains(line.substr(global.size(), line.size() - global.size() - 1)))
      continue;
    result += line;
  }
  return result;
}

}  // namespace simtlab::emulator

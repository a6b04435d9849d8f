#include "runtime/volatile_shared.h"

#include <algorithm>
#include <map>
#include <vector>

namespace simtlab::emulator {
namespace {

/// An instruction's name and operands: `ld.volatile.shared.u32 %r8, [%r7+4];` is ld.volatile.shared.u32, %r8, %r7 and 4.
std::vector<std::string_view> ptx_words(std::string_view line) {
  constexpr std::string_view between = " \t,;[]+{}";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(between); at != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(between, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(between, end);
  }
  return words;
}

}  // namespace

std::set<std::string> volatile_shared(std::string_view ptx, std::string_view kernel) {
  const std::string head = ".entry " + std::string(kernel) + '(';
  const std::size_t begin = ptx.find(head);
  if (begin == ptx.npos || ptx.find(".volatile.shared") == ptx.npos) return {};
  std::set<std::string> strong, plain;
  std::map<std::string_view, std::string_view> leads_to;  // a register, a variable's name
  const std::string_view ends("\n\0", 2);
  for (std::size_t at = begin; at < ptx.size() && ptx[at] != '}';) {
    const std::size_t end = std::min(ptx.find_first_of(ends, at), ptx.size());
    const std::vector<std::string_view> words = ptx_words(ptx.substr(at, end - at));
    at = end + 1;
    if (words.size() < 2 || words[0].starts_with('.')) continue;
    const bool is_access = words[0].find(".shared") != words[0].npos && !words[0].starts_with("cvta");
    std::string_view variable;
    for (std::size_t k = 1; k < words.size() && variable.empty(); ++k) {
      if (!is_access && k == 1) continue;  // what it sets
      const auto from = leads_to.find(words[k]);
      if (from != leads_to.end())
        variable = from->second;
      else if (words[k][0] != '%' && (words[k][0] < '0' || words[k][0] > '9'))
        variable = words[k];
    }
    if (variable.empty()) continue;
    if (is_access)
      (words[0].find(".volatile") != words[0].npos ? strong : plain).insert(std::string(variable));
    else
      leads_to.emplace(words[1], variable);
  }
  std::erase_if(strong, [&](const std::string& name) { return plain.contains(name); });
  return strong;
}

}  // namespace simtlab::emulator

#include "spaces/header_names.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace simtlab::emulator {
namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Every word before a parenthesis.
void add_names(const std::string& text, std::set<std::string, std::less<>>& names) {
  for (std::size_t open = text.find('('); open != std::string::npos; open = text.find('(', open + 1)) {
    std::size_t begin = open;
    while (begin > 0 && is_of_word(text[begin - 1])) --begin;
    if (begin < open) names.emplace(text, begin, open - begin);
  }
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

bool headers_declare_for_device(const std::string& folder, std::string_view name) {
  static std::map<std::string, std::set<std::string, std::less<>>> known;
  if (name.starts_with("cuda")) return false;
  const auto [at, is_new] = known.try_emplace(folder);
  std::error_code unreadable;
  if (is_new)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, unreadable)) {
      if (entry.is_regular_file(unreadable)) add_names(content_of(entry.path()), at->second);
    }
  return at->second.contains(name);
}

}  // namespace simtlab::emulator

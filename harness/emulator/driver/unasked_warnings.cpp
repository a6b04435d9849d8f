#include "driver/unasked_warnings.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace simtlab::emulator {
namespace {

const std::vector<std::string> unasked{"-Wuninitialized",  "-Wmaybe-uninitialized",
                                       "-Wreturn-type",    "-Wunused-result",
                                       "-Wunused-value",   "-Wparentheses",
                                       "-Wsequence-point", "-Wint-in-bool-context",
                                       "-Wbool-compare",   "-Wtype-limits",
                                       "-Wformat"};  // not -Wsign-compare: `threadIdx.x < n` is usual

/// A warning that g++ has only where it is asked for, by this name or by that of a group.
struct optional_warning {
  std::string_view name;
  std::string_view group;            ///< -Wall has it; -Wextra, too, where it is named
  std::string_view also_asked = {};  ///< by this name, too
};
/// Of the unasked ones, those that nvcc's g++ would not give: what the user's -Werror does not mean. -Wreturn-type and
/// -Wunused-result are always on.
constexpr std::array<optional_warning, 15> unasked_by_gpp{{{"uninitialized", "all extra"},
                                                           {"maybe-uninitialized", "all extra"},
                                                           {"unused-value", "all extra", "unused"},
                                                           {"parentheses", "all"},
                                                           {"dangling-else", "all", "parentheses"},
                                                           {"sequence-point", "all"},
                                                           {"int-in-bool-context", "all"},
                                                           {"bool-compare", "all"},
                                                           {"type-limits", "extra"},
                                                           {"format", "all", "format"},
                                                           {"format-contains-nul", "all", "format"},
                                                           {"format-extra-args", "all", "format"},
                                                           {"format-zero-length", "all", "format"},
                                                           {"format-overflow", "all", "format"},
                                                           {"nonnull", "all", "format"}}};

/// Whether one of the user's `-W…` asks for the warning.
bool is_asked(const optional_warning& w, const std::vector<std::string>& given) {
  return std::ranges::any_of(given, [&](const std::string& word) {
    if (!word.starts_with("-W") || word.starts_with("-Wno-")) return false;
    std::string_view name = std::string_view(word).substr(2);
    if (name.starts_with("error=")) name.remove_prefix(6);
    if (name.empty()) name = "extra";  // -W
    const std::string_view plain = name.substr(0, name.find('='));
    return plain == w.name || plain == w.also_asked ||
           (" " + std::string(w.group) + " ").find(" " + std::string(plain) + " ") != std::string::npos;
  });
}

}  // namespace

std::vector<std::string> unasked_warnings(const std::vector<std::string>& given) {
  std::vector<std::string> words = unasked;
  if (std::ranges::find(given, "-Werror") == given.end()) return words;
  for (const optional_warning& w : unasked_by_gpp)
    if (!is_asked(w, given)) words.push_back("-Wno-error=" + std::string(w.name));
  return words;
}

}  // namespace simtlab::emulator

#include "translator/type_alignment.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

struct named_size {
  std::string_view name;
  unsigned bytes;
};
constexpr std::array<named_size, 17> scalars{{{"char", 1},
                                              {"signed char", 1},
                                              {"unsigned char", 1},
                                              {"bool", 1},
                                              {"short int", 2},
                                              {"short", 2},
                                              {"short unsigned int", 2},
                                              {"int", 4},
                                              {"unsigned int", 4},
                                              {"float", 4},
                                              {"long int", 8},
                                              {"long", 8},
                                              {"long unsigned int", 8},
                                              {"long long int", 8},
                                              {"long long", 8},
                                              {"long long unsigned int", 8},
                                              {"double", 8}}};
constexpr std::array<named_size, 12> elements{{{"char", 1},
                                               {"uchar", 1},
                                               {"short", 2},
                                               {"ushort", 2},
                                               {"int", 4},
                                               {"uint", 4},
                                               {"float", 4},
                                               {"long", 8},
                                               {"ulong", 8},
                                               {"longlong", 8},
                                               {"ulonglong", 8},
                                               {"double", 8}}};

unsigned size_in(const auto& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const named_size& s) { return s.name == name; });
  return found == table.end() ? 0 : found->bytes;
}

}  // namespace

unsigned alignment_of_cast(std::string_view object) {
  constexpr std::string_view begin = "MEM[(", structure = "struct ", constant = "const ", changing = "volatile ";
  if (!object.starts_with(begin)) return 0;
  std::string_view type = object.substr(begin.size());
  const std::size_t end = std::min(type.find(" *)"), type.find(" &)"));
  if (end == std::string_view::npos) return 0;
  type = type.substr(0, end);
  for (const std::string_view word : {constant, changing, structure})
    if (type.starts_with(word)) type.remove_prefix(word.size());
  if (const unsigned scalar = size_in(scalars, type); scalar > 0) return scalar;
  if (type.empty() || type.back() < '1' || type.back() > '4') return 0;
  const auto count = static_cast<unsigned>(type.back() - '0');
  const unsigned element = size_in(elements, type.substr(0, type.size() - 1));
  return count == 3 ? element : std::min(element * count, 16U);
}

}  // namespace simtlab::emulator

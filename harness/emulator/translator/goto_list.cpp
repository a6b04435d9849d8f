#include "translator/goto_list.h"

#include <algorithm>

namespace simtlab::emulator {

goto_list::goto_list(const token_walk& walk) {
  for (std::size_t i = 0; i + 2 < walk.size(); ++i)
    if (walk.is(i, "goto") && walk.is_identifier(i + 1) && walk.is(i + 2, ";")) places_[walk.text(i + 1)].push_back(i);
}

std::span<const std::size_t> goto_list::between(std::string_view name, std::size_t begin, std::size_t end) const {
  const auto found = places_.find(name);
  if (found == places_.end()) return {};
  const auto first = std::ranges::lower_bound(found->second, begin),
             last = std::ranges::lower_bound(found->second, end);
  return first < last ? std::span<const std::size_t>(first, last) : std::span<const std::size_t>();
}

}  // namespace simtlab::emulator

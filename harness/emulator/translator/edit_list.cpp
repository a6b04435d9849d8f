#include "translator/edit_list.h"

#include <algorithm>

namespace simtlab::emulator {

void edit_list::replace(std::uint32_t begin, std::uint32_t end, std::string with) {
  edits_.push_back({begin, end, std::move(with)});
}

void edit_list::blank(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  std::string blanks(text.substr(begin, end - begin));
  for (char& c : blanks)
    if (c != '\n') c = ' ';
  replace(begin, end, std::move(blanks));
}

std::string edit_list::apply(std::string_view text) {
  std::stable_sort(edits_.begin(), edits_.end(), [](const edit& a, const edit& b) {
    const bool are_alike = (a.begin == a.end) == (b.begin == b.end);
    return a.begin < b.begin || (a.begin == b.begin && !are_alike && a.begin == a.end);
  });
  std::string result;
  std::size_t size = text.size();
  for (const edit& e : edits_) size += e.with.size();
  result.reserve(size);
  std::size_t at = 0;
  for (const edit& e : edits_) {
    if (e.begin < at) continue;
    result += text.substr(at, e.begin - at);
    result += e.with;
    at = e.end;
  }
  result += text.substr(at);
  return result;
}

}  // namespace simtlab::emulator

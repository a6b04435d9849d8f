#include "checks/races/shadow/shadow_lines.h"

namespace simtlab::emulator {

global_lines::page& global_lines::find(address number) {
  std::size_t at = place(number);
  for (; slots_[at].generation == generation_; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].number == number) return pages_[slots_[at].page];
  }
  if (2 * (pages_.in_use() + 1) > slots_.size()) {
    grow();
    return find(number);
  }
  slots_[at] = {number, generation_, pages_.take()};
  return pages_[slots_[at].page];
}

void global_lines::grow() {
  std::vector<slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const slot& s : old) {
    if (s.generation != generation_) continue;
    std::size_t at = place(s.number);
    while (slots_[at].generation == generation_) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = s;
  }
}

void global_lines::wipe() {
  pages_.clear();
  slots_.assign(slots_.size(), {});
  generation_ = 1;
  last_ = nullptr;
}

}  // namespace simtlab::emulator

#include "observers/thread_histories.h"

namespace simtlab::emulator {
void thread_histories::split(thread_cell& word, thread_cell* bytes) const {
  if (is_live(word)) {
    for (unsigned i = 0; i < 4; ++i) bytes[i] = word;
  }
  word = {};
  word.set = split_into_bytes;
  word.time = order_.now();
}

global_cells::page& global_cells::find(address number) {
  std::size_t at = place(number);
  for (; slots_[at].generation == generation_; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].number == number) return *slots_[at].at;
  }
  if (2 * (used_ + 1) > slots_.size()) {
    grow();
    return find(number);
  }
  if (used_ == pool_.size()) pool_.push_back(std::make_unique<page>(page{word_cells_.take(words_per_page), nullptr}));
  page* const fresh = pool_[used_++].get();
  slots_[at] = {number, generation_, fresh};
  return *fresh;
}

void global_cells::grow() {
  std::vector<slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const slot& s : old) {
    if (s.generation != generation_) continue;
    std::size_t at = place(s.number);
    while (slots_[at].generation == generation_) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = s;
  }
}

void global_cells::wipe() {
  pool_.clear();
  word_cells_.clear();
  byte_cells_.clear();
  slots_.assign(slots_.size(), {});
  block_begins();
}

}  // namespace simtlab::emulator

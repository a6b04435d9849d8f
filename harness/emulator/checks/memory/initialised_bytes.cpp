#include "checks/memory/initialised_bytes.h"

#include "core/bit_words.h"

namespace simtlab::emulator {

void initialised_bytes::mark(address begin, std::uint64_t bytes) {
  each_bit_word(begin, bytes, [this](std::uint64_t index, std::uint64_t bits) {
    auto& word = pages_.get(index * 64).words[index % words_in_page];
    if ((word.load(std::memory_order_relaxed) & bits) != bits) word.fetch_or(bits, std::memory_order_relaxed);
    return true;
  });
}

bool initialised_bytes::mark_and_tell(address begin, std::uint64_t bytes) {
  bool all = true;
  each_bit_word(begin, bytes, [this, &all](std::uint64_t index, std::uint64_t bits) {
    auto& word = pages_.get(index * 64).words[index % words_in_page];
    if ((word.load(std::memory_order_relaxed) & bits) != bits)
      all &= (word.fetch_or(bits, std::memory_order_relaxed) & bits) == bits;
    return true;
  });
  return all;
}

void initialised_bytes::forget(address begin, std::uint64_t bytes) {
  each_bit_word(begin, bytes, [this](std::uint64_t index, std::uint64_t bits) {
    if (page* p = pages_.find(index * 64)) p->words[index % words_in_page].fetch_and(~bits, std::memory_order_relaxed);
    return true;
  });
}

bool initialised_bytes::all(address begin, std::uint64_t bytes) const {
  const page* p = pages_.find(begin);
  return each_bit_word(begin, bytes, [&](std::uint64_t index, std::uint64_t bits) {
    if (index % words_in_page == 0) p = pages_.find(index * 64);
    return p != nullptr && (p->words[index % words_in_page].load(std::memory_order_relaxed) & bits) == bits;
  });
}

bool initialised_bytes::any(address begin, std::uint64_t bytes) const {
  return !each_bit_word(begin, bytes, [&](std::uint64_t index, std::uint64_t bits) {
    const page* const p = pages_.find(index * 64);
    return p == nullptr || (p->words[index % words_in_page].load(std::memory_order_relaxed) & bits) == 0;
  });
}

}  // namespace simtlab::emulator

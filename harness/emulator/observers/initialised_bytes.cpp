#include "observers/initialised_bytes.h"

#include <algorithm>

namespace simtlab::emulator {
namespace {

/// Calls `visit(address of the word, bits)` for each word of 64 bytes that [begin, begin + bytes) touches, until it
/// says false; the answer is whether it never did.
template <class Visit>
bool each_word(address begin, std::uint64_t bytes, Visit&& visit) {
  while (bytes > 0) {
    const unsigned first = begin % 64;
    const std::uint64_t here = std::min<std::uint64_t>(bytes, 64 - first);
    const std::uint64_t bits = (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1) << first;
    if (!visit(begin, bits)) return false;
    begin += here;
    bytes -= here;
  }
  return true;
}

constexpr auto relaxed = std::memory_order_relaxed;

}  // namespace

void initialised_bytes::mark(address begin, std::uint64_t bytes) {
  each_word(begin, bytes, [this](address at, std::uint64_t bits) {
    auto& word = pages_.get(at).words[(at >> 6) % (1U << (page_shift - 6))];
    if ((word.load(relaxed) & bits) != bits) word.fetch_or(bits, relaxed);
    return true;
  });
}

bool initialised_bytes::mark_and_tell(address begin, std::uint64_t bytes) {
  bool all = true;
  each_word(begin, bytes, [this, &all](address at, std::uint64_t bits) {
    auto& word = pages_.get(at).words[(at >> 6) % (1U << (page_shift - 6))];
    if ((word.load(relaxed) & bits) != bits) all &= (word.fetch_or(bits, relaxed) & bits) == bits;
    return true;
  });
  return all;
}

void initialised_bytes::forget(address begin, std::uint64_t bytes) {
  each_word(begin, bytes, [this](address at, std::uint64_t bits) {
    if (page* p = pages_.find(at)) p->words[(at >> 6) % (1U << (page_shift - 6))].fetch_and(~bits, relaxed);
    return true;
  });
}

bool initialised_bytes::all(address begin, std::uint64_t bytes) const {
  return each_word(begin, bytes, [this](address at, std::uint64_t bits) {
    const page* p = pages_.find(at);
    return p != nullptr && (p->words[(at >> 6) % (1U << (page_shift - 6))].load(relaxed) & bits) == bits;
  });
}

}  // namespace simtlab::emulator

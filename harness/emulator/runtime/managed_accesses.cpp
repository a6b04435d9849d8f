#include "runtime/managed_accesses.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "core/memory_calls.h"
#include "core/private_memory.h"

namespace simtlab::emulator {

managed_accesses::managed_accesses() : notes_(static_cast<notes*>(map_privately(sizeof(notes), false))) { open(false); }

void managed_accesses::open(bool to_write) {
  constexpr std::size_t bytes = rounded_up(sizeof(notes), std::size_t{4096});
  if (!protect(notes_, bytes, to_write ? PROT_READ | PROT_WRITE : PROT_READ)) throw std::bad_alloc();
}

bool managed_accesses::note(address begin, std::uint64_t bytes, bool is_write, site caller) {
  constexpr std::size_t recent = 16;
  const address end = begin + bytes;
  const std::size_t count = notes_->count;
  for (std::size_t i = count; i > 0 && count - i < recent; --i) {
    const stretch& s = notes_->all[i - 1];
    if (s.begin <= begin && end <= s.reach() && (s.is_write || !is_write)) return true;
    const bool samples = !is_write && !s.is_write && s.end - s.begin >= long_loop;
    if (!samples || begin < s.reach() || begin - s.reach() >= sample) continue;
    if (end % sample == 0) {
      open(true);
      notes_->all[i - 1].sampled_to = end;
      open(false);
    }
    return true;
  }
  // Loops over several arrays come to each in turn.
  std::size_t grows = count;
  for (std::size_t i = count; i > 0 && count - i < recent; --i)
    if (notes_->all[i - 1].end == begin && notes_->all[i - 1].is_write == is_write) grows = i - 1;
  if (grows == notes_->all.size()) return false;
  open(true);
  if (grows < count) {
    notes_->all[grows].end = end;
  } else {
    notes_->all[count] = {begin, end, caller, is_write};
    notes_->count = count + 1;
  }
  open(false);
  return true;
}

bool managed_accesses::tells(address a) const {
  return std::any_of(notes_->all.begin(), notes_->all.begin() + notes_->count,
                     [a](const stretch& s) { return a >= s.begin && a < s.reach(); });
}

}  // namespace simtlab::emulator

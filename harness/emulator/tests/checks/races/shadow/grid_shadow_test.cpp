#include "checks/races/shadow/grid_shadow.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace simtlab::emulator {
namespace {

constexpr address stretch = 256, words_in_stretch = stretch / 4;

}  // namespace

TEST_CASE("words have a history each, however many kinds of it there are") {
  interned_histories sets;
  history_transition_cache cache(sets);
  grid_shadow histories(sets);
  histories.launch_begins();
  grid_shadow::view view(histories);
  std::vector<block_conflict> conflicts;
  const auto touch = [&](std::uint64_t block, address at, site where, access kind) {
    view.block_begins(block);
    request_transitions steps(cache, where, kind, 4);
    view.touch(at, 4, steps, {kind == access::write, true, 7}, conflicts);
    view.request_ends();
  };
  // Two blocks read each word: any two of 64 in each of 17 lines of code, which is more than there are numbers.
  constexpr site sites = 17;
  address end = stretch;
  for (site where = 1; where <= sites; ++where) {
    for (address apart = 1; apart < words_in_stretch; ++apart, end += stretch) {
      for (address i = 0; i < words_in_stretch; ++i) touch(i, end + 4 * i, where, access::read);
      for (address i = 0; i < words_in_stretch; ++i)
        touch(i, end + 4 * ((i + apart) % words_in_stretch), where, access::read);
    }
  }
  CHECK(conflicts.empty());
  for (address at = stretch; at < end; at += 4) touch(1000, at, 50, access::write);
  CHECK(conflicts.size() == (end - stretch) / 4);
  for (address at = stretch; at < end; at += 4) touch(1000, at, 50, access::write);
  CHECK(conflicts.size() == (end - stretch) / 4);
  CHECK_FALSE(histories.is_exhausted());
}

}  // namespace simtlab::emulator

#include "core/lane_stacks.h"

#include <array>
#include <atomic>

namespace simtlab::emulator {
namespace {

/// Zero where nothing stands. A begin is stored last and taken away first.
struct place {
  std::atomic<address> begin, bytes;
};
constinit std::array<place, 256> places{};
constinit std::atomic<std::size_t> used{0};  // places that ever held something

}  // namespace

void announce(const lane_stacks& stacks) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    address empty = 0;
    if (!places[i].begin.compare_exchange_strong(empty, 1)) continue;  // 1: taken, and contains nothing yet
    places[i].bytes = stacks.stride * stacks.count;
    places[i].begin = stacks.begin;
    for (std::size_t before = used; before <= i && !used.compare_exchange_weak(before, i + 1);) {
    }
    return;
  }
}

void withdraw(const lane_stacks& stacks) {
  for (place& p : places) {
    address own = stacks.begin;
    if (p.begin.compare_exchange_strong(own, 0)) return;
  }
}

bool is_on_lane_stack(address a) {
  for (std::size_t i = 0; i < used; ++i) {
    const address begin = places[i].begin;
    if (begin > 1 && a - begin < places[i].bytes) return true;
  }
  return false;
}

}  // namespace simtlab::emulator

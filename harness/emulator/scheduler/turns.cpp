#include "scheduler/turns.h"

#include <algorithm>
#include <thread>

#include "trace/hook_state.h"

namespace simtlab::emulator {
namespace {

struct turn_of_thread {
  turns* of = nullptr;
  std::uint64_t number = 0;
};
thread_local turn_of_thread mine;

}  // namespace

std::uint64_t turns::take() {
  const std::lock_guard guard(guard_);
  if (mine.of == this) std::erase(under_way_, mine.number);
  mine = {this, next_++};
  under_way_.push_back(mine.number);
  return mine.number;
}

void turns::leave() {
  if (mine.of != this) return;
  const std::lock_guard guard(guard_);
  std::erase(under_way_, mine.number);
  mine = {};
}

std::uint64_t turns::taken() const {
  const std::lock_guard guard(guard_);
  return next_;
}

bool turns::is_earliest(std::uint64_t turn) const {
  const std::lock_guard guard(guard_);
  return std::ranges::all_of(under_way_, [turn](std::uint64_t other) { return other >= turn; });
}

void turns::await_earlier() {
  while (mine.of != nullptr && !mine.of->is_earliest(mine.number)) std::this_thread::yield();
}

void await_earlier_blocks() { turns::await_earlier(); }

}  // namespace simtlab::emulator

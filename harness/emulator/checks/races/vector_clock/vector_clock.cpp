#include "checks/races/vector_clock/vector_clock.h"

#include <algorithm>

namespace simtlab::emulator {
namespace {

constexpr std::size_t most_threads = 1024;

}  // namespace

logical_time vector_clock::find(const entries& in, std::uint64_t key) {
  const auto at =
      std::lower_bound(in.begin(), in.end(), key, [](const entry& e, std::uint64_t k) { return e.key < k; });
  return at != in.end() && at->key == key ? at->until : 0;
}

void vector_clock::raise(entries& in, std::uint64_t key, logical_time until) {
  if (in.empty() || in.back().key < key) {  // blocks mostly come in order
    in.push_back({key, until});
    return;
  }
  const auto at =
      std::lower_bound(in.begin(), in.end(), key, [](const entry& e, std::uint64_t k) { return e.key < k; });
  if (at->key == key) {
    at->until = std::max(at->until, until);
  } else {
    in.insert(at, {key, until});
  }
}

void vector_clock::merge(entries& to, const entries& from) {
  constexpr std::size_t few = 8;
  if (from.size() <= few) {
    for (const entry& e : from) raise(to, e.key, e.until);
    return;
  }
  entries merged;
  merged.reserve(to.size() + from.size());
  auto a = to.begin();
  auto b = from.begin();
  while (a != to.end() || b != from.end()) {
    if (b == from.end() || (a != to.end() && a->key < b->key)) {
      merged.push_back(*a++);
    } else if (a == to.end() || b->key < a->key) {
      merged.push_back(*b++);
    } else {
      merged.push_back({a->key, std::max(a->until, b->until)});
      ++a;
      ++b;
    }
  }
  to.swap(merged);
}

void vector_clock::know_block(std::uint64_t block, logical_time until) {
  if (find(blocks_, block) >= until) return;
  raise(blocks_, block, until);
  const auto before = [](const entry& e, std::uint64_t k) { return e.key < k; };
  const auto first = std::lower_bound(threads_.begin(), threads_.end(), thread_key(block, 0), before);
  const auto end = std::lower_bound(first, threads_.end(), thread_key(block + 1, 0), before);
  threads_.erase(std::remove_if(first, end, [&](const entry& e) { return e.until <= until; }), end);
}

void vector_clock::know_thread(std::uint64_t block, unsigned thread, logical_time until) {
  if (find(blocks_, block) < until) raise(threads_, thread_key(block, thread), until);
}

void vector_clock::join(const vector_clock& other) {
  constexpr std::size_t few = 8;
  if (other.blocks_.size() + other.threads_.size() <= few) {
    for (const entry& e : other.blocks_) know_block(e.key, e.until);
    for (const entry& e : other.threads_)
      know_thread(e.key >> thread_bits, static_cast<unsigned>(e.key & ((1U << thread_bits) - 1)), e.until);
  } else {
    merge(blocks_, other.blocks_);
    if (threads_.empty() && other.threads_.empty()) return;
    merge(threads_, other.threads_);
    std::erase_if(threads_, [this](const entry& e) { return e.until <= find(blocks_, e.key >> thread_bits); });
  }
  // Where thousands of threads take from thousands, each would keep the others' times: blocks stand for their threads then, which
  // claims to know more, and finds fewer races.
  if (threads_.size() <= most_threads) return;
  for (const entry& e : threads_) raise(blocks_, e.key >> thread_bits, e.until);
  threads_.clear();
}

vector_clock& own(clock_ref& clock) {
  if (clock == nullptr) {
    clock = std::make_shared<vector_clock>();
  } else if (clock.use_count() > 1) {
    clock = std::make_shared<vector_clock>(*clock);
  }
  return *clock;
}

void join_into(clock_ref& target, const clock_ref& other) {
  if (other == nullptr || other == target) return;
  if (target == nullptr) {
    target = other;
  } else {
    own(target).join(*other);
  }
}

}  // namespace simtlab::emulator

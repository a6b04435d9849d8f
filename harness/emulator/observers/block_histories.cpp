#include "observers/block_histories.h"

#include <sched.h>

#include <algorithm>
#include <memory>

#include "observers/value_digest.h"

namespace simtlab::emulator {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

// A cell: names of the blocks A and B in bits 0-7 and 8-15, set in bits 16-31. Names count from 1; 0 is none. Of a word
// whose bytes have histories of their own: their number instead of names.
constexpr std::uint8_t a_of(std::uint32_t cell) { return static_cast<std::uint8_t>(cell); }
constexpr std::uint8_t b_of(std::uint32_t cell) { return static_cast<std::uint8_t>(cell >> 8); }
constexpr access_set set_of(std::uint32_t cell) { return static_cast<access_set>(cell >> 16); }
constexpr std::uint32_t cell_of(std::uint32_t a, std::uint32_t b, access_set set) {
  return a | b << 8 | std::uint32_t{set} << 16;
}

enum class sameness : std::uint8_t { same, different, mixed };

/// Of two words that are stored in units of `unit` bytes.
sameness compare(std::uint32_t one, std::uint32_t two, unsigned unit) {
  const std::uint32_t mask = unit == 1 ? 0xff : 0xffff;
  unsigned same = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * unit) same += (one >> shift & mask) == (two >> shift & mask);
  return same == 0 ? sameness::different : same == 4 / unit ? sameness::same : sameness::mixed;
}

}  // namespace

struct block_histories::split_word {
  struct byte_cell {
    std::uint32_t a = 0, b = 0;  // blocks
    std::uint32_t value = 0;     // of the first write, as block_store tells it
    access_set set = no_accesses;

    [[nodiscard]] bool has_history_of(const byte_cell& o) const { return a == o.a && b == o.b && set == o.set; }
  };
  std::array<byte_cell, 4> bytes;
};

// Every word names at most two blocks, so that 8 bits are enough for the names of a stretch.
struct block_histories::stretch {
  struct split_words {
    std::vector<split_word> all;
    std::vector<std::uint8_t> free;
  };

  std::array<std::atomic<std::uint32_t>, words_in_stretch> cells{};
  std::atomic<word_values*> first{nullptr};  // what the first write stored to each word that has one
  std::array<std::uint32_t, 2> names{};
  std::unique_ptr<std::vector<std::uint32_t>> more_names;
  std::unique_ptr<split_words> split;
  std::uint8_t named = 0;
  std::atomic<bool> locked{false};

  void wipe() {
    for (auto& c : cells) c.store(0, relaxed);
    named = 0;
    more_names.reset();
    split.reset();
  }
  /// 0 for no name.
  [[nodiscard]] std::uint32_t block_named(std::uint8_t name) const {
    return name == 0 ? 0 : name <= names.size() ? names[name - 1U] : (*more_names)[name - 1 - names.size()];
  }
  /// 0 if it has no name.
  [[nodiscard]] std::uint8_t find(std::uint32_t block) const {
    for (std::uint8_t name = 1; name <= named; ++name)
      if (block_named(name) == block) return name;
    return 0;
  }
  std::uint8_t name(std::uint32_t block) {
    if (const std::uint8_t known = find(block); known != 0) return known;
    if (named < names.size()) {
      names[named] = block;
    } else {
      if (more_names == nullptr) more_names = std::make_unique<std::vector<std::uint32_t>>();
      more_names->push_back(block);
    }
    return ++named;
  }
};

struct block_histories::page {
  std::atomic<std::uint32_t> launch{0};
  std::array<stretch, (std::size_t{1} << page_shift) / stretch_bytes> stretches;
};

block_histories::block_histories(access_sets& sets) : sets_(sets) {}
block_histories::~block_histories() = default;

void block_histories::launch_begins() {
  ++launch_;
  exhausted_ = false;
  for (shard& s : shards_) s.blocks.clear();
}

block_histories::page& block_histories::ready_page(address a) {
  page& p = pages_.get(a);
  if (p.launch.load(std::memory_order_acquire) == launch_) return p;
  const std::lock_guard lock(preparing_);
  if (p.launch.load(relaxed) == launch_) return p;
  if (p.launch.load(relaxed) != 0)
    for (stretch& s : p.stretches) s.wipe();
  p.launch.store(launch_, std::memory_order_release);
  return p;
}

block_histories::word_values* block_histories::take_values() {
  const std::lock_guard lock(preparing_);
  return &values_[values_.take()];
}

labels block_histories::label_of(address word, std::uint32_t block) {
  shard& s = shard_of(word);
  const std::lock_guard lock(s.mutex);
  auto& blocks = s.blocks[word];
  auto at = std::find(blocks.begin(), blocks.end(), block);
  if (at == blocks.end()) {
    if (blocks.size() == label::further_blocks) {
      exhausted_.store(true, relaxed);
      at = std::prev(blocks.end());
    } else {
      at = blocks.insert(blocks.end(), block);
    }
  }
  return static_cast<labels>(label::first_block << (at - blocks.begin()));
}

labels block_histories::known_label_of(address word, std::uint32_t block) {
  shard& s = shard_of(word);
  const std::lock_guard lock(s.mutex);
  const auto entry = s.blocks.find(word);
  if (entry == s.blocks.end()) return 0;
  const auto at = std::find(entry->second.begin(), entry->second.end(), block);
  return at == entry->second.end() ? labels{0}
                                   : static_cast<labels>(label::first_block << (at - entry->second.begin()));
}

void block_histories::view::block_begins(std::uint64_t index) {
  release();
  block_ = name_of(index);
  number_ = ~address{0};
}

void block_histories::view::go_to(address a) {
  release();
  number_ = a / stretch_bytes;
  line& l = lines_[(a >> page_shift) % lines_.size()];
  if (l.number != a >> page_shift) [[unlikely]]
    l = {a >> page_shift, &of_.ready_page(a)};
  at_ = &l.at->stretches[number_ % l.at->stretches.size()];
  name_ = 0;
}

void block_histories::view::hold() {
  while (at_->locked.exchange(true, std::memory_order_acquire)) sched_yield();
  is_held_ = true;
  if (name_ == 0) name_ = at_->find(block_);
}

void block_histories::view::release() {
  if (!is_held_) return;
  at_->locked.store(false, std::memory_order_release);
  is_held_ = false;
}

std::uint8_t block_histories::view::name() {
  if (name_ == 0) name_ = at_->name(block_);
  return name_;
}

block_histories::view::outcome block_histories::view::touch_word(address at, request_steps& steps,
                                                                 const block_store& store,
                                                                 std::vector<block_conflict>& conflicts) {
  const std::size_t word = at % stretch_bytes / 4;
  const std::uint32_t old = at_->cells[word].load(std::memory_order_acquire);
  const access_set set = set_of(old);
  if (set == split_into_bytes) return is_held_ ? outcome::needs_bytes : outcome::needs_lock;
  // The lock is needed by all that would change something.
  bool differs = store.is_write && !store.is_known, is_first = false;
  if (store.is_write && store.is_known) {
    const std::uint8_t earlier = of_.sets_.stored_units(set), unit = access_sets::unit_of(steps.last().width);
    if (earlier == 0) {
      is_first = true;
    } else if (earlier != unit) {
      differs = true;
    } else {
      const word_values* const values = at_->first.load(std::memory_order_acquire);
      // None of an earlier write was known: the history has different values in any case.
      const std::uint32_t first = values == nullptr ? 0 : (*values)[word].load(relaxed);
      const sameness how = unit < 4               ? compare(first, store.value, unit)
                           : first == store.value ? sameness::same
                                                  : sameness::different;
      if (how == sameness::mixed) return is_held_ ? outcome::needs_bytes : outcome::needs_lock;
      differs = how == sameness::different;
    }
  }
  std::uint8_t a = a_of(old), b = b_of(old);
  labels by = 0;
  if (a != 0 && a == name_) {
    by = label::block_a;
  } else if (b != 0 && b == name_) {
    by = label::block_b;
  } else if (!is_held_ && (a == 0 || b == 0 || name_ == 0)) {
    if (a == 0 || b == 0 || !steps.is_saturated(set)) return outcome::needs_lock;
  } else if (a == 0) {
    a = name();
    by = label::block_a;
  } else if (b == 0) {
    b = name();
    by = label::block_b;
  } else if (!steps.is_saturated(set)) {
    if (!is_held_) return outcome::needs_lock;
    by = of_.label_of(at / 4 * 4, block_);
  }  // otherwise two blocks did this before: a third adds nothing, unless its value is the first to differ
  const access_step step = steps.add(set, by, differs);
  const std::uint32_t next = cell_of(a, b, step.next);
  if (next == old && !step.conflicts && !is_first) return outcome::done;
  if (!is_held_) return outcome::needs_lock;
  if (is_first) stored()[word].store(store.value, relaxed);
  at_->cells[word].store(next, std::memory_order_release);
  if (step.conflicts) conflicts.push_back({set, steps.last(), at / 4 * 4, 4});
  return outcome::done;
}

block_histories::word_values& block_histories::view::stored() {
  if (at_->first.load(relaxed) == nullptr) at_->first.store(of_.take_values(), std::memory_order_release);
  return *at_->first.load(relaxed);
}

block_histories::split_word& block_histories::view::split(address at) {
  std::atomic<std::uint32_t>& cell = at_->cells[at % stretch_bytes / 4];
  const std::uint32_t old = cell.load(relaxed);
  if (at_->split == nullptr) at_->split = std::make_unique<stretch::split_words>();
  auto& [all, free] = *at_->split;
  const access_set set = set_of(old);
  if (set == split_into_bytes) return all[old & 0xffff];
  const std::uint8_t unit = of_.sets_.stored_units(set);
  const word_values* const values = at_->first.load(relaxed);
  const std::uint32_t value = unit == 0 || values == nullptr ? 0 : (*values)[at % stretch_bytes / 4].load(relaxed);
  if (free.empty()) {
    free.push_back(static_cast<std::uint8_t>(all.size()));
    all.emplace_back();
  }
  const std::uint8_t number = free.back();
  free.pop_back();
  for (unsigned i = 0; i < 4; ++i) {
    all[number].bytes[i] = {at_->block_named(a_of(old)), at_->block_named(b_of(old)),
                            unit == 1 || unit == 2 ? unit_at(value, i, unit) : value, set};
  }
  cell.store(cell_of(number, 0, split_into_bytes), relaxed);
  return all[number];
}

void block_histories::view::unite(address at) {
  std::atomic<std::uint32_t>& cell = at_->cells[at % stretch_bytes / 4];
  const auto number = static_cast<std::uint8_t>(cell.load(relaxed));
  const auto& bytes = at_->split->all[number].bytes;
  for (const auto& b : bytes)
    if (!b.has_history_of(bytes[0])) return;
  std::uint32_t value = 0;
  const std::uint8_t unit = of_.sets_.stored_units(bytes[0].set);
  if (unit == 1) {
    for (unsigned i = 0; i < 4; ++i) value |= bytes[i].value << 8 * i;
  } else if (unit == 2) {
    value = bytes[0].value | bytes[2].value << 16;
    if (bytes[0].value != bytes[1].value || bytes[2].value != bytes[3].value) return;
  } else if (unit == 4) {
    value = bytes[0].value;
    if (!std::all_of(bytes.begin(), bytes.end(), [&](const auto& b) { return b.value == value; })) return;
  }
  if (unit != 0) stored()[at % stretch_bytes / 4].store(value, relaxed);
  const std::uint8_t a = bytes[0].a == 0 ? std::uint8_t{0} : at_->name(bytes[0].a);
  const std::uint8_t b = bytes[0].b == 0 ? std::uint8_t{0} : at_->name(bytes[0].b);
  cell.store(cell_of(a, b, bytes[0].set), std::memory_order_release);
  at_->split->free.push_back(number);
}

void block_histories::view::touch_byte(split_word& word, address at, request_steps& steps, const block_store& store,
                                       std::vector<block_conflict>& conflicts) {
  split_word::byte_cell& c = word.bytes[at % 4];
  bool differs = false;
  if (store.is_write) {
    const std::uint8_t earlier = of_.sets_.stored_units(c.set);
    if (earlier == 0) c.value = store.is_known ? store.value : 0;
    differs = !store.is_known ||
              (earlier != 0 && (earlier != access_sets::unit_of(steps.last().width) || c.value != store.value));
  }
  labels by = 0;
  if (c.a == 0 || c.a == block_) {
    c.a = block_;
    by = label::block_a;
  } else if (c.b == 0 || c.b == block_) {
    c.b = block_;
    by = label::block_b;
  } else if (!steps.is_saturated(c.set)) {
    by = of_.label_of(at / 4 * 4, block_);
  }
  const access_step step = steps.add(c.set, by, differs);
  if (step.conflicts) conflicts.push_back({c.set, steps.last(), at, 1});
  c.set = step.next;
}

void block_histories::view::touch(address a, unsigned bytes, request_steps& steps, const block_store& store,
                                  std::vector<block_conflict>& conflicts) {
  if (a / stretch_bytes != number_) go_to(a);
  if (bytes == 4) {
    outcome how = touch_word(a, steps, store, conflicts);
    if (how == outcome::needs_lock) {
      hold();
      how = touch_word(a, steps, store, conflicts);
    }
    if (how == outcome::done) return;
  } else if (!is_held_) {
    hold();
  }
  split_word& word = split(a);
  const unsigned unit = access_sets::unit_of(steps.last().width);
  for (unsigned i = 0; i < bytes; ++i) {
    block_store part = store;
    if (bytes == 4 && unit < 4) part.value = unit_at(store.value, i, unit);
    touch_byte(word, a + i, steps, part, conflicts);
  }
  unite(a);
}

void block_histories::view::read(address begin, address end, request_steps& steps,
                                 std::vector<block_conflict>& conflicts) {
  // Neighbouring words tend to have one history: where a read of one changes nothing, it changes none of the same. Unless
  // the block's label is the word's own: then it depends on who else touched the word.
  std::uint32_t unchanged = 0;
  for (address a = begin; a < end; a += 4) {
    if (a / stretch_bytes != number_) {
      go_to(a);
      unchanged = 0;
    }
    const std::atomic<std::uint32_t>& cell = at_->cells[a % stretch_bytes / 4];
    const std::uint32_t old = cell.load(std::memory_order_acquire);
    if (old == unchanged && old != 0) continue;
    const std::size_t told = conflicts.size();
    touch(a, 4, steps, {}, conflicts);
    const access_set set = set_of(old);
    if (set == split_into_bytes || cell.load(relaxed) != old || conflicts.size() != told) continue;
    const bool is_named = name_ != 0 && (a_of(old) == name_ || b_of(old) == name_);
    if (is_named || steps.is_saturated(set)) unchanged = old;
  }
}

bool block_histories::view::is_written_by_others(address a, std::uint64_t bytes, std::uint64_t block) {
  const std::uint32_t me = name_of(block);
  for (address at = a; at < a + bytes; ++at) {
    if (at / stretch_bytes != number_) go_to(at);
    const std::uint32_t cell = at_->cells[at % stretch_bytes / 4].load(std::memory_order_acquire);
    const bool is_split = set_of(cell) == split_into_bytes;
    const split_word::byte_cell c =
        is_split ? at_->split->all[cell & 0xffff].bytes[at % 4]
                 : split_word::byte_cell{at_->block_named(a_of(cell)), at_->block_named(b_of(cell)), 0, set_of(cell)};
    labels mine = of_.known_label_of(at / 4 * 4, me);
    if (c.a == me) mine |= label::block_a;
    if (c.b == me) mine |= label::block_b;
    if (of_.sets_.has_write_besides(c.set, mine)) return true;
  }
  return false;
}

}  // namespace simtlab::emulator

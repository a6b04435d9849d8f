#include "checks/races/shadow/grid_shadow.h"

#include <sched.h>

#include <algorithm>
#include <new>

#include "checks/value_digest.h"
#include "core/mix64.h"

namespace simtlab::emulator {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

// A cell: names of the blocks A and B in bits 0-7 and 8-15, set in bits 16-31. Names count from 1; 0 is none. Of a word
// whose bytes have cells of their own: their number in bits 0-23, and all bits above.
constexpr std::uint8_t a_of(std::uint32_t cell) { return static_cast<std::uint8_t>(cell); }
constexpr std::uint8_t b_of(std::uint32_t cell) { return static_cast<std::uint8_t>(cell >> 8); }
constexpr history_id set_of(std::uint32_t cell) { return static_cast<history_id>(cell >> 16); }
constexpr std::uint32_t cell_of(std::uint32_t a, std::uint32_t b, history_id set) {
  return a | b << 8 | std::uint32_t{set} << 16;
}
constexpr std::uint32_t most_split = (std::uint32_t{1} << 24) - 1, split_mark = ~most_split;
constexpr bool is_split(std::uint32_t cell) { return cell >= split_mark; }
constexpr std::uint32_t split_number(std::uint32_t cell) { return cell & most_split; }
constexpr unsigned most_cell_names = 0xff;
static_assert(interned_histories::most_sets <= split_mark >> 16);

enum class sameness : std::uint8_t { same, different, mixed };

/// Of two words that are stored in units of `unit` bytes.
sameness compare(std::uint32_t one, std::uint32_t two, unsigned unit) {
  const std::uint32_t mask = unit == 1 ? 0xff : 0xffff;
  unsigned same = 0;
  for (unsigned shift = 0; shift < 32; shift += 8 * unit) same += (one >> shift & mask) == (two >> shift & mask);
  return same == 0 ? sameness::different : same == 4 / unit ? sameness::same : sameness::mixed;
}

}  // namespace

// Words name at most two blocks each, so that 8 bits are enough for the names of a stretch; bytes may have more.
struct grid_shadow::stretch {
  word_values cells{};
  std::atomic<word_values*> first{nullptr};  // what the first write stored to each word that has one
  std::array<std::uint32_t, 2> names{};
  more_names* more = nullptr;
  std::uint16_t named = 0;
  std::atomic<bool> locked{false};

  void wipe() {
    for (auto& c : cells) c.store(0, relaxed);
    named = 0;
    more = nullptr;
  }
  /// 0 for no name.
  [[nodiscard]] std::uint32_t block_named(std::uint16_t name) const {
    if (name == 0) return 0;
    std::size_t i = name - 1U;
    if (i < names.size()) return names[i];
    const more_names* at = more;
    for (i -= names.size(); i >= at->blocks.size(); i -= at->blocks.size()) at = at->next;
    return at->blocks[i];
  }
  /// 0 if it has none.
  [[nodiscard]] std::uint16_t find(std::uint32_t block) const {
    for (std::uint16_t name = 1; name <= named; ++name)
      if (block_named(name) == block) return name;
    return 0;
  }
  /// Of a block that has none; `take`: room for more.
  template <class Take>
  std::uint16_t name(std::uint32_t block, Take&& take) {
    std::size_t i = named++;
    if (i < names.size()) {
      names[i] = block;
      return named;
    }
    more_names** at = &more;
    for (i -= names.size(); i >= more_names::count; i -= more_names::count) at = &(*at)->next;
    if (*at == nullptr) *at = take();
    (*at)->blocks[i] = block;
    return named;
  }
};

struct grid_shadow::page {
  std::atomic<std::uint32_t> launch{0};
  std::array<stretch, (std::size_t{1} << page_shift) / stretch_bytes> stretches;
};

grid_shadow::grid_shadow(interned_histories& sets) : sets_(sets) {}
grid_shadow::~grid_shadow() = default;

void grid_shadow::launch_begins() {
  ++launch_;
  exhausted_ = false;
  names_.reuse();
  split_.reuse();
  alike_.fill(0);
  for (shard& s : shards_) s.blocks.clear();
}

grid_shadow::page& grid_shadow::ready_page(address a) {
  page& p = pages_.get(a);
  if (p.launch.load(std::memory_order_acquire) == launch_) return p;
  const std::lock_guard lock(preparing_);
  if (p.launch.load(relaxed) == launch_) return p;
  if (p.launch.load(relaxed) != 0)
    for (stretch& s : p.stretches) s.wipe();
  p.launch.store(launch_, std::memory_order_release);
  return p;
}

grid_shadow::word_values* grid_shadow::take_values() {
  const std::lock_guard lock(preparing_);
  return &values_[values_.take()];
}

grid_shadow::more_names* grid_shadow::take_names() {
  const std::lock_guard lock(preparing_);
  return new (&names_[names_.take()]) more_names{};
}

grid_shadow::byte_cells grid_shadow::bytes_of(std::uint32_t number) {
  const std::lock_guard lock(splitting_);
  return split_[number].bytes;
}

std::uint32_t grid_shadow::changed(std::uint32_t number, const byte_cells& bytes) {
  std::uint64_t hash = 0;
  for (const byte_cell& c : bytes) hash = mix64(hash ^ c.a ^ c.b << 16 ^ std::uint64_t{c.set} << 32);
  const std::lock_guard lock(splitting_);
  std::uint32_t& alike = alike_[hash >> 52];
  if (alike != 0 && split_[alike].words != 0 && split_[alike].bytes == bytes) {
    if (alike == number) return number;
    ++split_[alike].words;
    drop_split(number);
    return alike;
  }
  if (number == 0 || split_[number].words > 1) {
    if (split_.in_use() == most_split - 1) {
      exhausted_.store(true, relaxed);
      return number;
    }
    drop_split(number);
    number = split_.take();
    split_[number].words = 1;
  }
  split_[number].bytes = bytes;
  return alike = number;
}

void grid_shadow::drop_split(std::uint32_t number) {
  if (number != 0 && --split_[number].words == 0) split_.give_back(number);
}

labels grid_shadow::label_of(address word, std::uint32_t block) {
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

labels grid_shadow::known_label_of(address word, std::uint32_t block) {
  shard& s = shard_of(word);
  const std::lock_guard lock(s.mutex);
  const auto entry = s.blocks.find(word);
  if (entry == s.blocks.end()) return 0;
  const auto at = std::find(entry->second.begin(), entry->second.end(), block);
  return at == entry->second.end() ? labels{0}
                                   : static_cast<labels>(label::first_block << (at - entry->second.begin()));
}

void grid_shadow::view::block_begins(std::uint64_t index) {
  release();
  block_ = name_of(index);
  number_ = ~address{0};
}

void grid_shadow::view::go_to(address a) {
  release();
  number_ = a / stretch_bytes;
  line& l = lines_[(a >> page_shift) % lines_.size()];
  if (l.number != a >> page_shift) [[unlikely]]
    l = {a >> page_shift, &of_.ready_page(a)};
  at_ = &l.at->stretches[number_ % l.at->stretches.size()];
  name_ = 0;
}

void grid_shadow::view::hold() {
  while (at_->locked.exchange(true, std::memory_order_acquire)) sched_yield();
  is_held_ = true;
  if (name_ == 0) name_ = at_->find(block_);
}

void grid_shadow::view::release() {
  if (!is_held_) return;
  at_->locked.store(false, std::memory_order_release);
  is_held_ = false;
}

std::uint16_t grid_shadow::view::name() {
  if (name_ == 0) name_ = at_->name(block_, [this] { return of_.take_names(); });
  return name_;
}

grid_shadow::view::outcome grid_shadow::view::touch_word(address at, request_transitions& steps,
                                                         const block_store& store,
                                                         std::vector<block_conflict>& conflicts) {
  const std::size_t word = at % stretch_bytes / 4;
  const std::uint32_t old = cell_at(at);
  if (is_split(old)) return is_held_ ? outcome::needs_bytes : outcome::needs_lock;
  const history_id set = set_of(old);
  // The lock is needed by all that would change something.
  bool differs = store.is_write && !store.is_known, is_first = false;
  if (store.is_write && store.is_known) {
    const std::uint8_t earlier = of_.sets_.stored_units(set), unit = interned_histories::unit_of(steps.last().width);
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
  std::uint16_t a = a_of(old), b = b_of(old);
  labels by = 0;
  if ((a == 0 || b == 0) && is_held_ && name() > most_cell_names) return outcome::needs_bytes;
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
  const history_transition step = steps.add(set, by, differs);
  const std::uint32_t next = cell_of(a, b, step.next);
  if (next == old && !step.conflicts && !is_first) return outcome::done;
  if (!is_held_) return outcome::needs_lock;
  if (is_first) stored()[word].store(store.value, relaxed);
  set_cell(at, next);
  if (step.conflicts) conflicts.push_back({set, steps.last(), at / 4 * 4, 4});
  return outcome::done;
}

const std::atomic<std::uint32_t>* grid_shadow::view::values_of_line(address a) const {
  const word_values* const values = at_->first.load(std::memory_order_acquire);
  return values == nullptr ? nullptr : values->data() + a % stretch_bytes / 128 * 32;
}

grid_shadow::word_values& grid_shadow::view::stored() {
  if (at_->first.load(relaxed) == nullptr) at_->first.store(of_.take_values(), std::memory_order_release);
  return *at_->first.load(relaxed);
}

std::uint32_t grid_shadow::view::cell_at(address at) const {
  return at_->cells[at % stretch_bytes / 4].load(std::memory_order_acquire);
}

void grid_shadow::view::set_cell(address at, std::uint32_t cell) {
  at_->cells[at % stretch_bytes / 4].store(cell, std::memory_order_release);
}

grid_shadow::byte_cells grid_shadow::view::bytes_of(address at) const {
  const std::uint32_t cell = cell_at(at);
  if (is_split(cell)) return of_.bytes_of(split_number(cell));
  byte_cells bytes;
  bytes.fill({a_of(cell), b_of(cell), set_of(cell)});
  return bytes;
}

void grid_shadow::view::put(address at, const byte_cells& bytes) {
  const std::uint32_t old = cell_at(at), number = is_split(old) ? split_number(old) : 0;
  const byte_cell& first = bytes[0];
  if (first.a <= most_cell_names && first.b <= most_cell_names &&
      std::all_of(bytes.begin(), bytes.end(), [&](const byte_cell& c) { return c == first; })) {
    if (number != 0) of_.drop(number);
    set_cell(at, cell_of(first.a, first.b, first.set));
  } else if (const std::uint32_t changed = of_.changed(number, bytes); changed != 0) {
    set_cell(at, split_mark | changed);
  }
}

void grid_shadow::view::touch_byte(byte_cell& c, address at, std::uint32_t comparable, request_transitions& steps,
                                   const block_store& store, std::vector<block_conflict>& conflicts) {
  bool differs = store.is_write && !store.is_known;
  if (store.is_write && store.is_known) {
    const std::uint8_t earlier = of_.sets_.stored_units(c.set), unit = interned_histories::unit_of(steps.last().width);
    const std::uint32_t own = std::uint32_t{0xff} << 8 * (at % 4);
    std::atomic<std::uint32_t>& first = stored()[at % stretch_bytes / 4];
    if (earlier == 0) {
      first.store((first.load(relaxed) & ~own) | (store.value & own), relaxed);
    } else {
      differs = earlier != unit || ((first.load(relaxed) ^ store.value) & comparable) != 0;
    }
  }
  labels by = 0;
  if (c.a == 0 || c.a == name_) {
    c.a = name();
    by = label::block_a;
  } else if (c.b == 0 || c.b == name_) {
    c.b = name();
    by = label::block_b;
  } else if (!steps.is_saturated(c.set)) {
    by = of_.label_of(at / 4 * 4, block_);
  }
  const history_transition step = steps.add(c.set, by, differs);
  if (step.conflicts) conflicts.push_back({c.set, steps.last(), at, 1});
  c.set = step.next;
}

void grid_shadow::view::touch(address a, unsigned bytes, request_transitions& steps, const block_store& store,
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
  byte_cells cells = bytes_of(a);
  std::uint32_t comparable = 0;
  for (unsigned i = 0; i < 4; ++i)
    if (of_.sets_.stored_units(cells[i].set) == interned_histories::unit_of(steps.last().width))
      comparable |= std::uint32_t{0xff} << 8 * i;
  for (auto i = static_cast<unsigned>(a % 4), end = i + bytes; i < end; ++i) {
    const std::uint32_t together = comparable & stored_together(i, bytes, steps.last().width);
    touch_byte(cells[i], a / 4 * 4 + i, together, steps, store, conflicts);
  }
  put(a, cells);
}

void grid_shadow::view::read(address begin, address end, request_transitions& steps,
                             std::vector<block_conflict>& conflicts) {
  // Neighbouring words tend to have one history: where a read of one changes nothing, it changes none of the same. Unless
  // the block's label is the word's own: then it depends on who else touched the word.
  for (address a = begin, stop = begin; a < end; a = stop) {
    stop = std::min(end, (a / stretch_bytes + 1) * stretch_bytes);
    if (a / stretch_bytes != number_) go_to(a);
    std::uint32_t unchanged = 0;
    for (; a < stop; a += 4) {
      const std::uint32_t old = cell_at(a);
      if (old == unchanged && unchanged != 0) continue;
      const std::size_t told = conflicts.size();
      touch(a, 4, steps, {}, conflicts);
      if (is_split(old) || cell_at(a) != old || conflicts.size() != told) continue;
      const bool is_named = name_ != 0 && (a_of(old) == name_ || b_of(old) == name_);
      if (is_named || steps.is_saturated(set_of(old))) unchanged = old;
    }
  }
}

bool grid_shadow::view::is_written_by_others(address a, std::uint64_t bytes, std::uint64_t block) {
  const std::uint32_t me = name_of(block);
  for (address at = a; at < a + bytes; ++at) {
    if (at / stretch_bytes != number_) go_to(at);
    const byte_cell c = bytes_of(at)[at % 4];
    labels mine = of_.known_label_of(at / 4 * 4, me);
    if (at_->block_named(c.a) == me) mine |= label::block_a;
    if (at_->block_named(c.b) == me) mine |= label::block_b;
    if (of_.sets_.has_write_besides(c.set, mine)) return true;
  }
  return false;
}

}  // namespace simtlab::emulator

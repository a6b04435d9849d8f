#include "observers/block_histories.h"

#include <algorithm>
#include <bit>
#include <memory>

namespace simtlab::emulator {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr std::size_t page_bytes = std::size_t{1} << block_histories::page_shift;

// A cell: block A in bits 0-23, block B in bits 24-47, set in bits 48-63. Blocks count from 1; 0 is none.
constexpr std::uint32_t block_mask = 0xffffff;
constexpr std::uint32_t a_of(std::uint64_t cell) { return static_cast<std::uint32_t>(cell) & block_mask; }
constexpr std::uint32_t b_of(std::uint64_t cell) { return static_cast<std::uint32_t>(cell >> 24) & block_mask; }
constexpr access_set set_of(std::uint64_t cell) { return static_cast<access_set>(cell >> 48); }
constexpr std::uint64_t cell_of(std::uint32_t a, std::uint32_t b, access_set set) {
  return std::uint64_t{a} | std::uint64_t{b} << 24 | std::uint64_t{set} << 48;
}
constexpr std::uint64_t split_cell = cell_of(0, 0, split_into_bytes);

template <class Array>
void clear(Array& cells) {
  for (auto& c : cells) c.store(0, relaxed);
}

}  // namespace

struct block_histories::byte_cells {
  std::array<std::atomic<std::uint64_t>, page_bytes> cell{};
  std::array<std::atomic<std::uint32_t>, page_bytes> value{};
};

struct block_histories::page {
  std::atomic<std::uint32_t> launch{0};
  std::array<std::atomic<std::uint64_t>, page_bytes / 4> word{};
  std::array<std::atomic<std::uint32_t>, page_bytes / 4> value{};  // hash of the first value written; 0: none
  std::atomic<byte_cells*> bytes{nullptr};
  std::unique_ptr<byte_cells> owned_bytes;
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
  if (p.launch.load(relaxed) != 0) {
    clear(p.word);
    clear(p.value);
    p.bytes.store(nullptr, relaxed);
    p.owned_bytes.reset();
  }
  p.launch.store(launch_, std::memory_order_release);
  return p;
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

void block_histories::split(page& p, address word) {
  shard& s = shard_of(word);
  const std::lock_guard lock(s.mutex);
  // Another worker may have made them under another shard's lock: acquire pairs with its release.
  if (p.bytes.load(std::memory_order_acquire) == nullptr) {
    const std::lock_guard preparing(preparing_);
    if (p.bytes.load(relaxed) == nullptr) {
      p.owned_bytes = std::make_unique<byte_cells>();
      p.bytes.store(p.owned_bytes.get(), std::memory_order_release);
    }
  }
  byte_cells& bytes = *p.bytes.load(relaxed);
  const std::size_t at = word % page_bytes;
  std::uint64_t history = p.word[at / 4].load(relaxed);
  // Nobody looks at the bytes before the swap succeeds, so they may be written again and again.
  do {
    if (set_of(history) == split_into_bytes) return;
    for (std::size_t i = at; i < at + 4; ++i) {
      bytes.cell[i].store(history, relaxed);
      bytes.value[i].store(p.value[at / 4].load(relaxed), relaxed);
    }
  } while (!p.word[at / 4].compare_exchange_weak(history, split_cell, std::memory_order_acq_rel, relaxed));
}

bool block_histories::view::touch_cell(std::atomic<std::uint64_t>& cell, std::atomic<std::uint32_t>& first_value,
                                       address at, unsigned bytes, request_steps& steps, const block_access& a,
                                       std::vector<block_conflict>& conflicts) {
  std::uint64_t old = cell.load(std::memory_order_acquire);
  if (set_of(old) == split_into_bytes) return false;
  bool differs = false;
  if (a.is_write) {
    std::uint32_t first = first_value.load(relaxed);
    if (first == 0 && a.value != 0 && first_value.compare_exchange_strong(first, a.value, relaxed)) first = a.value;
    differs = a.value == 0 || first != a.value;
  }
  for (;;) {
    if (set_of(old) == split_into_bytes) return false;
    std::uint32_t block_a = a_of(old), block_b = b_of(old);
    labels by = 0;
    if (block_a == 0 || block_a == a.block) {
      block_a = a.block;
      by = label::block_a;
    } else if (block_b == 0 || block_b == a.block) {
      block_b = a.block;
      by = label::block_b;
    } else if (!steps.is_saturated(set_of(old))) {
      by = of_.label_of(at / 4 * 4, a.block);
    }  // otherwise two blocks did this before: a third adds nothing, unless its value is the first to differ
    const access_step step = steps.add(set_of(old), by, differs);
    const std::uint64_t next = cell_of(block_a, block_b, step.next);
    if (next == old && !step.conflicts) return true;
    if (cell.compare_exchange_weak(old, next, std::memory_order_acq_rel, std::memory_order_acquire)) {
      if (step.conflicts) conflicts.push_back({set_of(old), steps.last(), at, bytes});
      return true;
    }
  }
}

void block_histories::view::touch(address a, unsigned bytes, request_steps& steps, const block_access& made,
                                  std::vector<block_conflict>& conflicts) {
  page& p = page_of(a);
  const std::size_t at = a % page_bytes;
  if (bytes == 4) {
    if (touch_cell(p.word[at / 4], p.value[at / 4], a, 4, steps, made, conflicts)) return;
  } else if (set_of(p.word[at / 4].load(std::memory_order_acquire)) != split_into_bytes) {
    of_.split(p, a / 4 * 4);
  }
  byte_cells& each = *p.bytes.load(std::memory_order_acquire);
  for (unsigned i = 0; i < bytes; ++i) {
    touch_cell(each.cell[at + i], each.value[at + i], a + i, 1, steps, made, conflicts);
  }
}

bool block_histories::view::has_others_write(std::uint64_t cell, address word, std::uint64_t block) {
  const std::uint32_t me = name_of(block);
  labels mine = of_.known_label_of(word, me);
  if (a_of(cell) == me) mine |= label::block_a;
  if (b_of(cell) == me) mine |= label::block_b;
  return of_.sets_.has_write_besides(set_of(cell), mine);
}

bool block_histories::view::is_written_by_others(address a, std::uint64_t bytes, std::uint64_t block) {
  for (address at = a; at < a + bytes; ++at) {
    page& p = page_of(at);
    const std::size_t inside = at % page_bytes;
    std::uint64_t cell = p.word[inside / 4].load(std::memory_order_acquire);
    if (set_of(cell) == split_into_bytes) cell = p.bytes.load(std::memory_order_acquire)->cell[inside].load(relaxed);
    if (has_others_write(cell, at / 4 * 4, block)) return true;
  }
  return false;
}

}  // namespace simtlab::emulator

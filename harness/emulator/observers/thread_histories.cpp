#include "observers/thread_histories.h"

#include <bit>

namespace simtlab::emulator {
namespace {

std::uint16_t thread_of(unsigned warp, lane_mask lanes) {
  return static_cast<std::uint16_t>(warp * warp_size + static_cast<unsigned>(std::countr_zero(lanes)));
}

/// The labels of `lanes` in a cell that they are the first to touch; names them its first threads.
labels found(thread_cell& c, unsigned warp, lane_mask lanes) {
  c.lanes = lanes;
  c.a = thread_of(warp, lanes);
  c.b = 0;
  const lane_mask others = lanes & (lanes - 1);
  if (others == 0) return label::thread_a;
  c.b = static_cast<std::uint16_t>(thread_of(warp, others) | thread_cell::has_b);
  return (others & (others - 1)) == 0 ? label::thread_a | label::thread_b
                                      : label::thread_a | label::thread_b | label::thread_other;
}

/// The labels of `lanes` in a cell that has a history; names the second thread if there was none.
labels joined(thread_cell& c, unsigned warp, lane_mask lanes) {
  labels by = 0;
  const bool is_home = c.a / warp_size == warp;
  if (is_home) {
    c.lanes |= lanes;
    const lane_mask first = lane_mask{1} << (c.a % warp_size);
    if ((lanes & first) != 0) by |= label::thread_a;
    lanes &= ~first;
  } else {
    c.b |= thread_cell::has_foreign;
  }
  if (lanes == 0) return by;
  if ((c.b & thread_cell::has_b) == 0) {
    c.b = static_cast<std::uint16_t>(c.b | thread_of(warp, lanes) | thread_cell::has_b);
  }
  const unsigned b = c.b & thread_cell::thread_bits;
  if (b / warp_size == warp) {
    const lane_mask second = lane_mask{1} << (b % warp_size);
    if ((lanes & second) != 0) by |= is_home ? label::thread_b : label::foreign_b;
    lanes &= ~second;
  }
  if (lanes != 0) by |= is_home ? label::thread_other : label::foreign_other;
  return by;
}

}  // namespace

bool thread_histories::touch(thread_cell& c, request_steps& steps, lane_access a, thread_conflict& conflict) const {
  access_set from = c.set;
  labels by;
  if (!is_live(c)) {
    from = no_accesses;
    c.value = 0;
    by = found(c, a.warp, a.lanes);
  } else if (c.time != order_.now() && (c.b & thread_cell::has_foreign) == 0 && c.a / warp_size == a.warp &&
             order_.is_before(c.time, c.lanes, a.warp, a.lanes)) {
    from = steps.cache().before(from);
    by = found(c, a.warp, a.lanes);
  } else {
    by = joined(c, a.warp, a.lanes);
  }
  if (a.is_write) {
    a.differs |= a.value == 0 || (c.value != 0 && c.value != a.value);
    if (c.value == 0) c.value = a.value;
  }
  const access_step step = steps.add(from, by, a.differs);
  c.set = step.next;
  c.time = order_.now();
  if (!step.conflicts) [[likely]]
    return false;
  conflict = {from, steps.last(), a.lanes, c.a, static_cast<std::uint16_t>(c.b & thread_cell::thread_bits)};
  return true;
}

void thread_histories::split(thread_cell& word, thread_cell* bytes) const {
  if (is_live(word)) {
    for (unsigned i = 0; i < 4; ++i) bytes[i] = word;
  }
  word = {};
  word.set = split_into_bytes;
  word.time = order_.now();
}

global_cells::page& global_cells::find(address number) {
  std::size_t at = place(number);
  for (; slots_[at].generation == generation_; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].number == number) return *slots_[at].at;
  }
  if (2 * (used_ + 1) > slots_.size()) {
    grow();
    return find(number);
  }
  if (used_ == pool_.size()) pool_.push_back(std::make_unique<page>());
  page* const fresh = pool_[used_++].get();
  slots_[at] = {number, generation_, fresh};
  return *fresh;
}

void global_cells::grow() {
  std::vector<slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const slot& s : old) {
    if (s.generation != generation_) continue;
    std::size_t at = place(s.number);
    while (slots_[at].generation == generation_) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = s;
  }
}

void global_cells::wipe() {
  pool_.clear();
  slots_.assign(slots_.size(), {});
  block_begins();
}

}  // namespace simtlab::emulator

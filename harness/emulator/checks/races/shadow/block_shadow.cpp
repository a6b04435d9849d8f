#include "checks/races/shadow/block_shadow.h"

#include <algorithm>

namespace simtlab::emulator {
namespace {

using layout = shadow_line::layout;

unsigned word_in_line(address a) { return static_cast<unsigned>(a % shadow_line::bytes / 4); }

std::uint32_t words_between(address begin, address end) {
  const auto count = static_cast<unsigned>((end - begin) / 4);
  return (count == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1) << word_in_line(begin);
}

}  // namespace

std::uint32_t block_shadow::first_value(const shadow_line& l, launch_values of_launch, unsigned word) const {
  return l.values == shadow_line::as_of_launch ? of_launch[word].load(std::memory_order_relaxed)
                                               : pieces_.values[l.values][word];
}

line_values& block_shadow::own_values(shadow_line& l, launch_values of_launch) {
  const bool shares = l.values == shadow_line::as_of_launch;
  if (!shares && l.values != 0) return pieces_.values[l.values];
  l.values = pieces_.values.take();
  line_values& own = pieces_.values[l.values];
  for (unsigned i = 0; shares && i < shadow_line::words_in_line; ++i)
    own[i] = of_launch[i].load(std::memory_order_relaxed);
  return own;
}

void block_shadow::store_first(shadow_line& l, launch_values of_launch, unsigned word, std::uint32_t mask,
                               std::uint32_t value) {
  if (l.values == 0 && of_launch != nullptr) l.values = shadow_line::as_of_launch;
  if (l.values == shadow_line::as_of_launch && ((first_value(l, of_launch, word) ^ value) & mask) == 0) return;
  std::uint32_t& first = own_values(l, of_launch)[word];
  first = (first & ~mask) | (value & mask);
}

void block_shadow::store_first(shadow_line& l, launch_values of_launch, unsigned word, const std::uint32_t* values,
                               unsigned count) {
  if (l.values == 0 && of_launch != nullptr) l.values = shadow_line::as_of_launch;
  if (l.values == shadow_line::as_of_launch &&
      std::equal(values, values + count, of_launch + word,
                 [](std::uint32_t value, const auto& first) { return value == first.load(std::memory_order_relaxed); }))
    return;
  std::copy_n(values, count, own_values(l, of_launch).begin() + word);
}

bool block_shadow::touch_units(shadow_line& l, const moment& m, request_transitions& steps, const warp_request& r,
                               const run_piece& p, launch_values of_launch) {
  const std::uint32_t words = words_between(p.begin, p.end);
  const auto thread = static_cast<std::int16_t>(r.thread(p.lane) - lanes_in(p.begin % shadow_line::bytes, r.width));
  const bool writes = r.kind == access::write, is_known = writes && r.values != nullptr;
  const bool is_void = l.epoch < m.settled;
  const unsigned first = word_in_line(p.begin), count = static_cast<unsigned>((p.end - p.begin) / 4);
  std::array<std::uint32_t, shadow_line::words_in_line> values;
  for (unsigned i = 0; is_known && i < count; ++i) values[i] = stored_word(r, p.lane_at(p.begin + 4 * i, r.width));
  if (is_void) {
    l = {m.now, 0, 0, no_history, thread, layout::by_units, static_cast<std::uint8_t>(r.width)};
  } else if (l.as != layout::by_units || l.epoch != m.now || l.thread != thread || l.unit != r.width) {
    return false;
  }
  if (!is_void && l.words == words) {
    bool differs = writes && !is_known;
    if (is_known && steps.cache().sets().stored_units(l.set) == interned_histories::mixed_units) {
      differs = true;
    } else if (is_known && l.values != 0) {
      unsigned same = 0;
      for (unsigned word = first; word != first + count; ++word)
        same += first_value(l, of_launch, word) == values[word - first];
      if (same != 0 && same != count) return false;
      // Words of several units: each unit has a history of its own.
      if (same == 0 && r.width < 4) return false;
      differs = same == 0;
    } else if (is_known) {
      store_first(l, of_launch, first, values.data(), count);
    }
    l.set = steps.add(l.set, label::thread_a, differs).next;
    return true;
  }
  const history_id fresh = steps.add(no_history, label::thread_a, writes && !is_known).next;
  if (!is_void && ((l.words & words) != 0 || fresh != l.set || is_known != (l.values != 0))) return false;
  l.set = fresh;
  l.words |= words;
  if (is_known) store_first(l, of_launch, first, values.data(), count);
  return true;
}

void block_shadow::give_words(shadow_line& l, const moment& m) {
  const std::uint32_t number = pieces_.packed.take();
  line_words& words = pieces_.packed[number];
  words = {};
  const bool is_live = l.epoch >= m.settled;
  const std::uint32_t touched = is_live ? l.words : 0;
  if (!is_live) l.values = 0;
  l.words = number;
  l.as = layout::packed;
  if (touched == 0) return;
  const barrier_epochs::epoch when = l.epoch - m.settled;
  const std::uint32_t shape = shapes_.number_of({when, 1, l.set, shadow_state::has_written, when});
  open_line opened{l, &words, nullptr};
  const auto cell_at = [&](unsigned byte) {
    return cell::of(static_cast<unsigned>(l.thread + static_cast<int>(lanes_in(byte, l.unit))), shape);
  };
  for (std::uint32_t rest = touched; rest != 0; rest &= rest - 1) {
    const auto word = static_cast<unsigned>(std::countr_zero(rest));
    if (l.unit >= 4) {
      words[word] = cell_at(4 * word);
    } else {
      put(opened, word, {cell_at(4 * word), cell_at(4 * word + 1), cell_at(4 * word + 2), cell_at(4 * word + 3)});
    }
  }
}

byte_cells block_shadow::bytes_of(const open_line& l, unsigned word) const {
  return l.packed != nullptr ? shapes_.bytes((*l.packed)[word])
                             : shapes_.bytes_of_wide(pieces_.wide[l.line.words][word]);
}

void block_shadow::put(open_line& l, unsigned word, const byte_cells& bytes) {
  if (l.packed != nullptr) {
    if (const auto packed = shapes_.packed(bytes)) {
      (*l.packed)[word] = *packed;
      return;
    }
    const std::uint32_t number = pieces_.wide.take();
    for (unsigned i = 0; i < shadow_line::words_in_line; ++i)
      pieces_.wide[number][i] = shapes_.wide(shapes_.bytes((*l.packed)[i]));
    pieces_.packed.give_back(l.line.words);
    l.packed = nullptr;
    l.line.words = number;
    l.line.as = layout::wide;
  }
  pieces_.wide[l.line.words][word] = shapes_.wide(bytes);
}

block_shadow::sameness block_shadow::compare(const open_line& l, unsigned word, std::uint32_t own,
                                             std::uint32_t comparable, shadow_word c, const request_cells& r,
                                             const lane_access& a) {
  const std::uint8_t earlier = stored_units(c, r);
  const bool is_first = earlier == 0,
             differs = !is_first && (earlier != interned_histories::unit_of(r.request.width) ||
                                     ((first_value(l.line, l.of_launch, word) ^ a.value) & comparable) != 0);
  const bool is_first_since = differs && is_over(c, r, a);
  if (is_first || is_first_since) store_first(l.line, l.of_launch, word, own, a.value);
  return is_first_since ? sameness::differs_from_before : differs ? sameness::differs : sameness::same;
}

block_shadow::changed_shape block_shadow::change(std::uint32_t from, bool fresh, unsigned first, request_cells& r,
                                                 lane_mask lanes, sameness stored) {
  shadow_state s = from == 0 ? shadow_state{} : shapes_[from];
  history_id set = s.set;
  if (fresh && from != 0) set = r.steps.cache().before(set, stored == sameness::differs_from_before);
  const labels by = fresh ? cell::found(s, first, lanes) : cell::joined(s, first, r.request.warp, lanes);
  const history_transition step = r.steps.add(set, by, stored == sameness::differs);
  s.set = step.next;
  s.epoch = r.m.now - r.m.settled;
  if (r.request.kind != access::read) {
    s.written = s.epoch;
    s.b |= shadow_state::has_written;
  } else if (fresh) {
    s.written = 0;
  }
  return {shapes_.number_of(s),
          step.conflicts,
          {set, r.steps.last(), lanes, first, cell::at_distance(first, s.b & shadow_state::distance_bits)}};
}

void block_shadow::move_shapes(const shadow_line& l, const shadow_states& old) {
  if (l.epoch < order_.settled() || l.as == layout::by_units) return;
  const auto moved = [&](byte_cells bytes) {
    for (shadow_word& c : bytes)
      if (c != 0) c = cell::of(cell::first_thread(c), shapes_.number_of(old[cell::shape_of(c)]));
    return bytes;
  };
  if (l.as == layout::packed) {
    // As many words are told alike as before, so that there is room.
    for (packed_word& w : pieces_.packed[l.words]) w = *shapes_.packed(moved(old.bytes(w)));
  } else {
    for (wide_word& w : pieces_.wide[l.words]) w = shapes_.wide(moved(old.bytes_of_wide(w)));
  }
}

}  // namespace simtlab::emulator

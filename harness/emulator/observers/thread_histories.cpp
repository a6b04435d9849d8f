#include "observers/thread_histories.h"

namespace simtlab::emulator {
namespace {

using layout = thread_line::layout;

unsigned word_in_line(address a) { return static_cast<unsigned>(a % thread_line::bytes / 4); }

std::uint32_t words_between(address begin, address end) {
  const auto count = static_cast<unsigned>((end - begin) / 4);
  return (count == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1) << word_in_line(begin);
}

}  // namespace

void thread_histories::store_values(thread_line& l, const warp_request& r, const run_piece& p) {
  if (l.pieces == 0) l.pieces = pieces_.values.take();
  line_values& values = pieces_.values[l.pieces];
  for (address word = p.begin; word < p.end; word += 4)
    values[word_in_line(word)] = stored_word(r, p.lane_at(word, r.width));
}

bool thread_histories::touch_units(thread_line& l, const moment& m, request_steps& steps, const warp_request& r,
                                   const run_piece& p) {
  const std::uint32_t words = words_between(p.begin, p.end);
  const auto thread =
      static_cast<std::int16_t>(r.thread(p.lane) - static_cast<unsigned>(p.begin % thread_line::bytes / r.width));
  const bool writes = r.kind == access::write, is_known = writes && r.values != nullptr;
  const bool is_void = l.time < m.settled;
  if (is_void) {
    l = {m.now, 0, 0, no_accesses, thread, layout::by_units, static_cast<std::uint8_t>(r.width)};
  } else if (l.as != layout::by_units || l.time != m.now || l.thread != thread || l.unit != r.width) {
    return false;
  }
  if (!is_void && l.words == words) {
    bool differs = writes && !is_known;
    if (is_known && steps.cache().sets().stored_units(l.set) == access_sets::mixed_units) {
      differs = true;
    } else if (is_known && l.pieces != 0) {
      const line_values& first = pieces_.values[l.pieces];
      unsigned same = 0;
      for (address word = p.begin; word < p.end; word += 4)
        same += first[word_in_line(word)] == stored_word(r, p.lane_at(word, r.width));
      if (same != 0 && same != (p.end - p.begin) / 4) return false;
      // Words of several units: each unit has a history of its own.
      if (same == 0 && r.width < 4) return false;
      differs = same == 0;
    } else if (is_known) {
      store_values(l, r, p);
    }
    l.set = steps.add(l.set, label::thread_a, differs).next;
    return true;
  }
  const access_set fresh = steps.add(no_accesses, label::thread_a, writes && !is_known).next;
  if (!is_void && ((l.words & words) != 0 || fresh != l.set || is_known != (l.pieces != 0))) return false;
  l.set = fresh;
  l.words |= words;
  if (is_known) store_values(l, r, p);
  return true;
}

void thread_histories::give_cells(thread_line& l, const moment& m) {
  const std::uint32_t number = pieces_.cells.take();
  line_cells& cells = pieces_.cells[number];
  cells = {};
  if (l.time >= m.settled) {
    for (std::uint32_t rest = l.words; rest != 0; rest &= rest - 1) {
      const auto word = static_cast<unsigned>(std::countr_zero(rest));
      const std::uint32_t value = l.pieces == 0 ? 0 : pieces_.values[l.pieces][word];
      const auto told_by = [&](unsigned offset, std::uint16_t stored) {
        const auto thread = static_cast<std::uint16_t>(l.thread + static_cast<int>((4 * word + offset) / l.unit));
        return thread_cell{l.time, lane_mask{1} << (thread % warp_size), l.set, stored, thread, 0};
      };
      if (l.unit >= 4) {
        cells[word].put(told_by(0, static_cast<std::uint16_t>(value >> 16)));
        continue;
      }
      byte_cells& bytes = bytes_of(cells[word], m);
      for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t stored = unit_at(value, i, l.unit);
        const std::uint16_t known =
            l.unit == 1 ? thread_cell::byte_value(stored) : short_digest(digest_of(stored, l.unit));
        bytes[i].put(told_by(i, l.pieces == 0 ? std::uint16_t{0} : known));
      }
    }
    if (l.pieces != 0) pieces_.values.give_back(l.pieces);
  }
  l.pieces = number;
  l.as = layout::by_cells;
}

byte_cells& thread_histories::bytes_of(packed_cell& word, const moment& m) {
  const thread_cell whole = word.get();
  const bool is_live = whole.time >= m.settled;
  if (is_live && whole.set == split_into_bytes) return pieces_.bytes[whole.lanes];
  const std::uint32_t number = pieces_.bytes.take();
  byte_cells& bytes = pieces_.bytes[number];
  bytes.fill(is_live ? word : packed_cell{});
  if (is_live && whole.value == thread_cell::packed_bytes) {
    for (unsigned i = 0; i < 4; ++i) {
      thread_cell byte = whole;
      byte.value = thread_cell::byte_value(whole.lanes >> 8 * i);
      byte.lanes = lane_mask{1} << (whole.a % warp_size);
      bytes[i].put(byte);
    }
  }
  thread_cell split;
  split.time = m.now;
  split.lanes = number;
  split.set = split_into_bytes;
  word.put(split);
  return bytes;
}

void thread_histories::unite(packed_cell& word) {
  const std::uint32_t number = word.get().lanes;
  const byte_cells& bytes = pieces_.bytes[number];
  thread_cell all = bytes[0].get();
  const std::uint16_t first_value = all.value;
  std::uint32_t stored = 0;
  bool same_value = true, stored_bytes = true;
  for (unsigned i = 0; i < 4; ++i) {
    thread_cell byte = bytes[i].get();
    same_value &= byte.value == first_value;
    stored |= (byte.value & 0xffU) << 8 * i;
    if ((byte.value & 0xff00) != 0x100) stored_bytes = false;
    byte.value = all.value;
    if (!(byte == all)) return;
  }
  if (!same_value) {
    // One thread's bytes, no lane of its warp but its own.
    if (!stored_bytes || all.b != 0 || all.lanes != lane_mask{1} << (all.a % warp_size)) return;
    all.value = thread_cell::packed_bytes;
    all.lanes = stored;
  }
  word.put(all);
  pieces_.bytes.give_back(number);
}

}  // namespace simtlab::emulator

#include "checks/races/vector_clock/vector_clock_races.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "checks/value_digest.h"

namespace simtlab::emulator {
namespace {

constexpr address widest_unit = 32;

constexpr lane_mask bit_of(unsigned lane) { return lane_mask{1} << lane; }
unsigned lowest(lane_mask m) { return static_cast<unsigned>(std::countr_zero(m)); }

access_conflict::side side_of(const access_event& e) { return {e.where, e.kind, static_cast<std::uint16_t>(e.width)}; }

bool conflict(const access_event& a, const access_event& b) {
  if (a.kind == access::read && b.kind == access::read) return false;
  if ((a.changes_nothing && b.kind == access::read) || (b.changes_nothing && a.kind == access::read)) return false;
  if (a.strength == access_strength::plain || b.strength == access_strength::plain) return true;
  return a.block != b.block && (a.strength == access_strength::in_block || b.strength == access_strength::in_block);
}

}  // namespace

vector_clock_races::vector_clock_races(shared_state& shared, finding_log& findings)
    : shared_(shared), log_(findings), findings_(shared, findings) {}

void vector_clock_races::launch_begins(const launch_info& l) {
  launch_ = l;
  any_in_block_ = false;
  findings_.launch_begins(l);
}

void vector_clock_races::block_begins(const block_info& b) {
  block_ = &b;
  order_ = &shared_.order()->block(b.index);
  of_block_.wipe();
  looks_.assign(b.threads, {});
  findings_.block_begins(b);
}

void vector_clock_races::order(const warp_marks& m) {
  for (lane_mask rest = m.active; rest != 0; rest &= rest - 1)
    order_->see(m.warp * warp_size + lowest(rest), m.marks[lowest(rest)]);
}

void vector_clock_races::warp_primitive(const warp_primitive_event& e) {
  if (e.operation == warp_operation::syncwarp) order_->syncwarp(e.warp, e.arrived | (e.exited & e.mask));
}

namespace {

/// What `lane` stores to the bytes of a line from `begin` to `end`.
void add_stored(line_contents& stored, const warp_request& r, unsigned lane, unsigned begin, unsigned end) {
  const std::uint64_t value = r.values[lane];
  if (r.width == 1 || r.width == 2) {
    stored[begin / 4] |= (static_cast<std::uint32_t>(value) & (r.width == 1 ? 0xff : 0xffff)) << 8 * (begin % 4);
    return;
  }
  for (unsigned word = begin / 4; word < (end + 3) / 4; ++word) stored[word] = long_digest(digest_of(value, r.width));
}

}  // namespace

/// What is the same for all of one request, or of the part of it whose lanes know the same.
struct vector_clock_races::touch_context {
  const warp_request& request;
  const block_order::seen_thread& seen;
  access_records& records;
  const access_event event;
  std::uint32_t number;
};

/// Bytes that lanes of an earlier access and of this one touch, with nothing to order them.
struct vector_clock_races::unordered_bytes {
  std::uint64_t bytes = 0;
  lane_mask earlier = 0, later = 0;  ///< that may be unordered
  bool one_warp = false;

  struct pair {
    bool found = false;
    unsigned earlier = 0, later = 0;  ///< lanes
  };
  [[nodiscard]] pair at(unsigned byte, const touched_bytes& one, const touched_bytes& two) const {
    const lane_mask e = one.lanes_at(byte) & earlier, l = two.lanes_at(byte) & later;
    if (e == 0 || l == 0) return {};
    if (!one_warp) return {true, lowest(e), lowest(l)};
    // A thread is not in its own way.
    if (const lane_mask others = l & ~bit_of(lowest(e)); others != 0) return {true, lowest(e), lowest(others)};
    if (const lane_mask others = e & ~l; others != 0) return {true, lowest(others), lowest(l)};
    return {};
  }
};

vector_clock_races::unordered_bytes vector_clock_races::unordered(const access_event& e, const touched_bytes& earlier,
                                                                  const touch_context& c,
                                                                  const touched_bytes& now) const {
  if (order_->knows_block(c.seen, e.block, e.when)) return {};
  unordered_bytes result;
  for (lane_mask rest = earlier.lanes; rest != 0; rest &= rest - 1) {
    if (!order_->knows(c.seen, e.block, e.warp * warp_size + lowest(rest), e.when)) result.earlier |= rest & -rest;
  }
  if (result.earlier == 0) return {};
  result.one_warp = e.block == block_->index && e.warp == c.request.warp;
  result.later = now.lanes;
  if (result.one_warp) {
    // What the lanes did in turn may be told as done together, so that this access may be the one that happened before.
    const clock_ref& known = c.records.known(e);
    for (lane_mask rest = now.lanes; known != nullptr && rest != 0; rest &= rest - 1) {
      if (known->covers(e.block, e.warp * warp_size + lowest(rest), c.seen.now)) result.later &= ~(rest & -rest);
    }
    if (result.later == 0 || (now.unit != 0 && now.has_shape_of(earlier))) return {};
  }
  const std::uint64_t common = earlier.bytes & now.bytes;
  if (earlier.unit == 0 && now.unit == 0) {
    if (result.at(0, earlier, now).found) result.bytes = common;
    return result;
  }
  for (std::uint64_t rest = common; rest != 0; rest &= rest - 1) {
    if (result.at(static_cast<unsigned>(std::countr_zero(rest)), earlier, now).found) result.bytes |= rest & -rest;
  }
  return result;
}

void vector_clock_races::report(const touch_context& c, address line, const access_event& earlier,
                                const unordered_bytes& open, const touched_bytes& one, const line_contents* one_stored,
                                const touched_bytes& two, const line_contents* two_stored) {
  const bool may_be_same = earlier.kind == access::write && c.event.kind == access::write &&
                           earlier.width == c.event.width && one_stored != nullptr && two_stored != nullptr;
  struct part {
    std::uint64_t bytes = 0, words = 0;
  };
  std::array<part, 2> parts;  // different and same values
  for (unsigned word = 0; word < access_records::line_bytes / 4; ++word) {
    const std::uint64_t here = open.bytes & std::uint64_t{0xf} << 4 * word;
    if (here == 0) continue;
    bool same = may_be_same;
    if (may_be_same) {
      std::uint32_t differing = (*one_stored)[word] ^ (*two_stored)[word];
      if (c.event.width >= 4) {
        same = differing == 0 && (*one_stored)[word] != 0;
      } else {
        for (unsigned i = 0; i < 4; ++i) {
          if ((here >> (4 * word + i) & 1) == 0) differing &= ~(0xffU << 8 * i);
        }
        same = differing == 0;
      }
    }
    parts[same ? 1 : 0].bytes |= here;
    ++parts[same ? 1 : 0].words;
  }
  for (const bool same : {false, true}) {
    const part& p = parts[same ? 1 : 0];
    if (p.bytes == 0) continue;
    const auto byte = static_cast<unsigned>(std::countr_zero(p.bytes));
    const unordered_bytes::pair pair = open.at(byte, one, two);
    const bool both_strong = earlier.strength != access_strength::plain && c.event.strength != access_strength::plain;
    const bool scope = both_strong && conflict(earlier, c.event);
    const access_conflict found{side_of(earlier), 0, side_of(c.event), same, scope, both_strong && !scope};
    findings_.add(found, {earlier.block, earlier.warp * warp_size + pair.earlier},
                  {block_->index, c.request.thread(pair.later)}, {c.request.space, line + byte, c.request.variable},
                  p.words);
  }
}

void vector_clock_races::touch(const touch_context& c, address line, const touched_bytes& now,
                               const line_contents* stored) {
  access_records::line& l = c.records.at(line);
  const access kind = c.event.kind;
  const auto is_told_by = [&](const access_record& r, const access_event& e) {
    return r.event != c.number && e.where == c.event.where && e.block == c.event.block && e.warp == c.event.warp &&
           r.what.bytes == now.bytes && r.what.unit == now.unit &&
           (now.unit == 0 ? (r.what.lanes & ~now.lanes) == 0 : r.what.has_shape_of(now));
  };
  const auto look = [&](std::uint32_t& list, bool is_own_kind) {
    path_.clear();
    for (std::uint32_t number = list; number != 0;) {
      const std::uint32_t next = c.records.record(number).next;
      path_.push_back(number);
      if ((c.records.record(number).what.bytes & now.bytes) != 0) {
        const access_record r = c.records.record(number);
        const access_event& e = c.records.event(r.event);
        unordered_bytes open = unordered(e, r.what, c, now);
        const bool is_ordered = open.bytes == 0;
        if (!is_ordered && counts_on_order(e, c, open, now)) report(c, line, e, open, r.what, nullptr, now, nullptr);
        if (is_ordered && is_ordered_by_chance(e, c)) open = {r.what.bytes & now.bytes, r.what.lanes, now.lanes, false};
        if (open.bytes != 0 && conflict(e, c.event)) {
          if (e.kind == access::atomic && c.event.strength == access_strength::plain)
            open.bytes &= ~observed(c, line, l, e, open.bytes, now);
          report(c, line, e, open, r.what, r.contents == 0 ? nullptr : &c.records.contents(r.contents), now, stored);
        }
        // What happened before all that this request's lanes do is told by this record from now on.
        if (is_own_kind && is_ordered && is_told_by(r, e)) take_out(c.records, l, list);
      }
      number = next;
    }
  };
  look(l.writes, kind == access::write);
  if (kind != access::read) look(l.reads, false);
  if (kind != access::atomic || any_in_block_) look(l.atomics, kind == access::atomic);
  std::uint32_t& list = kind == access::write ? l.writes : kind == access::read ? l.reads : l.atomics;
  if (c.event.kind == access::write && now.unit == 0 && std::popcount(now.lanes) > 1 &&
      c.event.strength == access_strength::plain)
    report(c, line, c.event, {now.bytes, now.lanes, now.lanes, true}, now, stored, now, stored);
  // Threads that take turns at one line, as waiting ones do, find their last record among the first.
  constexpr int nearby = 16;
  path_.clear();
  std::uint32_t number = list;
  for (int i = 0; i < nearby && number != 0; ++i) {
    const access_record r = c.records.record(number);
    path_.push_back(number);
    const bool both_known = (r.contents != 0) == (stored != nullptr);
    if (r.event == c.number && both_known && r.what.has_shape_of(now)) {
      access_record all = r;
      if (stored != nullptr) all.contents = c.records.contents_for(l, r, r.what.bytes | now.bytes);
      all = joined(c, all, now, stored);
      if (!(all.what == r.what) || all.contents != r.contents) c.records.edit(l, list, path_, path_.size() - 1, &all);
      return;
    }
    const access_event& e = c.records.event(r.event);
    if (kind != access::write && is_told_by(r, e) && unordered(e, r.what, c, now).bytes == 0)
      take_out(c.records, l, list);
    number = r.next;
  }
  if (!c.records.push(l, list, {now, c.number, 0, 0}, stored)) exhausted_ = true;
}

/// Whether both are volatile, and the thread that reads has seen a later store of the one that writes: then these bytes, too, are to
/// have been stored, but nothing orders the two stores. Leaves in `open` those that write so.
bool vector_clock_races::counts_on_order(const access_event& e, const touch_context& c, unordered_bytes& open,
                                         const touched_bytes& now) const {
  if (e.kind != access::write || c.event.kind != access::read || conflict(e, c.event)) return false;
  const unsigned lane = lowest(now.lanes);
  const sync_location where{c.request.addresses[lane], c.request.space == memory_space::shared ? block_->index + 1 : 0};
  lane_mask writers = 0;
  for (lane_mask rest = open.earlier; rest != 0; rest &= rest - 1)
    if (order_->has_seen_later(c.request.thread(lane), e.block, e.warp * warp_size + lowest(rest), e.when, where))
      writers |= rest & -rest;
  open.earlier = writers;
  return writers != 0;
}

/// Whether the earlier access was made under a lock that its thread had taken without a fence, and this one is made under the same
/// lock: had the other come second, nothing would order the two.
bool vector_clock_races::is_ordered_by_chance(const access_event& e, const touch_context& c) const {
  return e.bare_lock != 0 && e.bare_lock == c.seen.holds && e.block != block_->index;
}

std::uint64_t vector_clock_races::observed(const touch_context& c, address line, const access_records::line& l,
                                           const access_event& atomic, std::uint64_t bytes,
                                           const touched_bytes& now) const {
  const unsigned width = std::clamp<unsigned>(atomic.width, 1, 8);
  const std::uint64_t unit = (std::uint64_t{1} << width) - 1;
  std::uint64_t result = 0;
  for (std::uint64_t rest = bytes; rest != 0;) {
    const unsigned at = static_cast<unsigned>(std::countr_zero(rest)) / width * width;
    lane_mask lanes = 0;  // of the bytes that are touched: the atomic operation may be wider
    for (std::uint64_t here = rest & unit << at; here != 0; here &= here - 1)
      lanes |= now.lanes_at(static_cast<unsigned>(std::countr_zero(here)));
    rest &= ~(unit << at);
    bool own = false;
    for (std::uint32_t i = l.atomics; i != 0 && !own; i = c.records.record(i).next) {
      const access_record r = c.records.record(i);
      const access_event& e = c.records.event(r.event);
      own = (r.what.bytes >> at & 1) != 0 && e.block == block_->index && e.warp == c.request.warp &&
            (r.what.lanes_at(at) & now.lanes) != 0;
    }
    const sync_location where{line + at, c.request.space == memory_space::shared ? block_->index + 1 : 0};
    if (order_->has_observed(c.seen, c.request.warp, lanes, own, where, c.event.kind == access::write))
      result |= unit << at;
  }
  return result & bytes;
}

void vector_clock_races::take_out(access_records& records, access_records::line& l, std::uint32_t& list) {
  records.edit(l, list, path_, path_.size() - 1, nullptr);
  // The records before may be others now.
  std::uint32_t number = list;
  path_.pop_back();
  for (std::uint32_t& before : path_) {
    before = number;
    number = records.record(number).next;
  }
}

access_record vector_clock_races::joined(const touch_context& c, access_record r, const touched_bytes& now,
                                         const line_contents* stored) {
  for (unsigned word = 0; stored != nullptr && word < stored->size(); ++word) {
    const std::uint64_t mine = now.bytes >> 4 * word & 0xf, before = r.what.bytes >> 4 * word & 0xf;
    if (mine == 0) continue;
    std::uint32_t& first = c.records.contents(r.contents)[word];
    if (c.event.width >= 4) {
      first = before == 0 || first == (*stored)[word] ? (*stored)[word] : 0;
      continue;
    }
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t byte = 0xffU << 8 * i;
      if ((mine >> i & 1) != 0) first = (first & ~byte) | ((*stored)[word] & byte);
    }
  }
  r.what.bytes |= now.bytes;
  r.what.lanes |= now.lanes;
  return r;
}

void vector_clock_races::touch_row(const touch_context& c, const lane_row& row, bool is_known) {
  constexpr address line_bytes = access_records::line_bytes;
  const warp_request& r = c.request;
  for (unsigned i = 0; i < row.lanes;) {
    const address at = r.addresses[row.lane(i)], line = at / line_bytes * line_bytes;
    const int before = row.step * static_cast<int>((at - line) / row.unit);
    touched_bytes here{0, 0, static_cast<std::int8_t>(static_cast<int>(row.lane(i)) - before),
                       static_cast<std::uint8_t>(row.unit), static_cast<std::int8_t>(row.step)};
    line_contents stored{};
    for (; i < row.lanes && r.addresses[row.lane(i)] < line + line_bytes; ++i) {
      const unsigned lane = row.lane(i);
      const auto begin = static_cast<unsigned>(r.addresses[lane] - line);
      here.bytes |= ((std::uint64_t{1} << r.width) - 1) << begin;
      here.lanes |= bit_of(lane);
      if (is_known) add_stored(stored, r, lane, begin, begin + r.width);
    }
    touch(c, line, here, is_known ? &stored : nullptr);
  }
}

void vector_clock_races::touch_alone(const touch_context& c, address at, lane_mask lanes, bool is_known) {
  constexpr address line_bytes = access_records::line_bytes;
  const address end = at + c.request.width;
  for (address begin = at; begin < end;) {
    const address line = begin / line_bytes * line_bytes, stop = std::min(end, line + line_bytes);
    const auto first = static_cast<unsigned>(begin - line), count = static_cast<unsigned>(stop - begin);
    line_contents stored{};
    if (is_known) add_stored(stored, c.request, lowest(lanes), first, first + count);
    const std::uint64_t bytes = (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << first;
    touch(c, line, {bytes, lanes, 0, 0, 1}, is_known ? &stored : nullptr);
    begin = stop;
  }
}

void vector_clock_races::check_alike(const warp_request& r, lane_mask lanes, access_strength strength) {
  const block_order::seen_thread& seen = order_->seen(r.thread(lowest(lanes)));
  access_records& records = r.space == memory_space::shared ? of_block_ : shared_.records();
  access_event event;
  event.where = r.where;
  event.when = seen.now;
  event.block = block_->index & access_event::any_block;
  event.warp = r.warp % warp_size;
  event.width = std::min(r.width, access_event::largest_width) & access_event::largest_width;
  event.kind = r.kind;
  event.strength = strength;
  event.changes_nothing = r.changes_nothing;
  event.bare_lock = seen.bare ? seen.holds : 0;
  const touch_context c{r, seen, records, event, records.number_of(event, seen.known)};
  const bool has_values = r.kind == access::write && r.values != nullptr;
  const bool may_run = r.width == 1 || has_natural_alignment(r.width);
  for (lane_mask left = lanes; left != 0;) {
    const unsigned lane = lowest(left);
    const address at = r.addresses[lane];
    // Lanes in a row that touch memory in a row, or at even distances, up or down.
    unsigned row = 1, unit = 0;
    const bool falls = lane + 1 < warp_size && r.addresses[lane + 1] < at;
    if (may_run && lane + 1 < warp_size && (left & bit_of(lane + 1)) != 0) {
      const address next = r.addresses[lane + 1], apart = falls ? at - next : next - at;
      const bool fits = apart >= r.width && apart <= widest_unit && std::has_single_bit(apart) && at % r.width == 0;
      unit = fits ? static_cast<unsigned>(apart) : 0;
    }
    while (unit != 0 && lane + row < warp_size && (left & bit_of(lane + row)) != 0 &&
           r.addresses[lane + row] == (falls ? at - address{row} * unit : at + address{row} * unit))
      ++row;
    if (row > 1) {
      left &= ~((row == warp_size ? full_warp : bit_of(row) - 1) << lane);
      touch_row(c, falls ? lane_row{lane + row - 1, row, unit, -1} : lane_row{lane, row, unit, 1}, has_values);
      continue;
    }
    // Lanes of one address together, as a broadcast has them.
    lane_mask together = bit_of(lane);
    bool is_known = has_values;
    for (lane_mask rest = left & (left - 1); rest != 0; rest &= rest - 1) {
      const unsigned other = lowest(rest);
      if (r.addresses[other] != at) continue;
      together |= bit_of(other);
      if (has_values && r.values[other] != r.values[lane]) is_known = false;
    }
    left &= ~together;
    touch_alone(c, at, together, is_known);
  }
}

bool vector_clock_races::was_made(const warp_request& r, lane_mask lanes) {
  bool same = true;
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest), thread = r.thread(lane);
    const block_order::seen_thread& seen = order_->seen(thread);
    const last_look now{r.where, r.addresses[lane], seen.now, seen.holds};
    same &= std::exchange(looks_[thread], now) == now;
  }
  return same;
}

access_strength vector_clock_races::strength_of_volatile(const warp_request& r, unsigned lane) {
  const unsigned thread = r.thread(lane);
  const bool publishes = order_->publishes(thread, r.addresses[lane]);
  order_->touch(thread, r.addresses[lane]);
  if (r.kind == access::read) return access_strength::strong;
  if (!publishes) return access_strength::plain;
  return order_->seen(thread).fenced == fence_scope::device ? access_strength::strong : access_strength::in_block;
}

void vector_clock_races::check(const warp_request& r, const access_pattern& /*pattern*/, lane_mask lanes) {
  if (r.space != memory_space::shared && r.space != memory_space::global) return;
  const bool is_volatile = shared_.volatiles().contains(r.where);
  any_in_block_ |= r.in_block && r.space == memory_space::global;
  for (lane_mask left = lanes; left != 0;) {
    const block_order::seen_thread& seen = order_->seen(r.thread(lowest(left)));
    lane_mask alike = 0;
    for (lane_mask rest = left; rest != 0; rest &= rest - 1) {
      if (order_->seen(r.thread(lowest(rest))) == seen) alike |= rest & -rest;
    }
    auto strength = access_strength::plain;
    if (r.kind == access::atomic) {
      strength = r.in_block ? access_strength::in_block : access_strength::strong;
    } else if (is_volatile) {
      strength = strength_of_volatile(r, lowest(left));
      alike &= left & -left;
    }
    left &= ~alike;
    const bool is_look = strength != access_strength::plain && (r.kind == access::read || r.changes_nothing);
    if (!is_look || !was_made(r, alike)) check_alike(r, alike, strength);
  }
}

bool vector_clock_races::is_written_by_others(address a, std::uint64_t bytes, std::uint64_t block) {
  access_records& records = shared_.records();
  for (address at = a; at < a + bytes; ++at) {
    const access_records::line& l = records.at(at);
    for (std::uint32_t i = l.writes; i != 0; i = records.record(i).next) {
      const access_event& e = records.event(records.record(i).event);
      const bool is_touched = (records.record(i).what.bytes >> at % access_records::line_bytes & 1) != 0;
      if (e.block != block && e.kind == access::write && is_touched) return true;
    }
  }
  return false;
}

void vector_clock_races::launch_ends() {
  findings_.launch_ends();
  const sighting rank{launch_.ordinal, 0, 0};
  if (!exhausted_ || !log_.first_time(rule::incomplete_check, 0, 0, 0, rank)) return;
  log_.add({rule::incomplete_check,
            launch_.kernel,
            "",
            {},
            {},
            "Races may have been missed: this launch makes more accesses that nothing orders than the check can "
            "remember."},
           0, rank);
}

}  // namespace simtlab::emulator

#include "observers/ordered_races.h"

#include <bit>

namespace simtlab::emulator {
namespace {

std::uint16_t short_hash(std::uint64_t stored, std::uint32_t width) {
  return static_cast<std::uint16_t>(((stored + width) * 0x9e3779b97f4a7c15 >> 48) | 1);
}

constexpr lane_mask bit_of(unsigned lane) { return lane_mask{1} << lane; }
unsigned lowest(lane_mask m) { return static_cast<unsigned>(std::countr_zero(m)); }

bool conflict(const access_event& a, const access_event& b) {
  if (a.kind == access::read && b.kind == access::read) return false;
  return a.strength == access_strength::plain || b.strength == access_strength::plain;
}

}  // namespace

ordered_races::ordered_races(shared_state& shared, finding_log& findings)
    : shared_(shared), log_(findings), findings_(shared, findings) {}

void ordered_races::launch_begins(const launch_info& l) {
  launch_ = l;
  findings_.launch_begins(l);
}

void ordered_races::block_begins(const block_info& b) {
  block_ = &b;
  order_ = &shared_.order()->block(b.index);
  of_block_.wipe();
  findings_.block_begins(b);
}

void ordered_races::order(const warp_marks& m) {
  for (lane_mask rest = m.active; rest != 0; rest &= rest - 1)
    order_->see(m.warp * warp_size + lowest(rest), m.marks[lowest(rest)]);
}

void ordered_races::warp_primitive(const warp_primitive_event& e) {
  if (e.operation == warp_operation::syncwarp) order_->syncwarp(e.warp, e.arrived | (e.exited & e.mask));
}

/// What is the same for all words of one request, or of the part of it whose lanes know the same.
struct ordered_races::touch_context {
  const warp_request& request;
  const block_order::seen_thread& seen;
  access_records& records;
  const access_event event;
  std::uint32_t number;
};

ordered_races::unordered_pair ordered_races::unordered(const access_event& e, lane_mask earlier, const touch_context& c,
                                                       lane_mask lanes) const {
  if (order_->knows_block(c.seen, e.block, e.when)) return {};
  lane_mask open = 0;
  for (lane_mask rest = earlier; rest != 0; rest &= rest - 1) {
    if (!order_->knows(c.seen, e.block, e.warp * warp_size + lowest(rest), e.when)) open |= rest & -rest;
  }
  if (open == 0) return {};
  const unsigned base = e.warp * warp_size, own = c.request.warp * warp_size;
  if (e.block != block_->index || e.warp != c.request.warp) return {true, base + lowest(open), own + lowest(lanes)};
  // One warp: a thread is not in its own way, and what the lanes did in turn may be told as done together, so that this
  // access may be the one that happened before.
  lane_mask later = 0;
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    if (e.known == nullptr || !e.known->covers(e.block, own + lowest(rest), c.seen.now)) later |= rest & -rest;
  }
  if (later == 0) return {};
  if (const lane_mask others = later & ~bit_of(lowest(open)); others != 0)
    return {true, base + lowest(open), own + lowest(others)};
  if (const lane_mask others = open & ~later; others != 0) return {true, base + lowest(others), own + lowest(later)};
  return {};
}

void ordered_races::touch(const touch_context& c, address word, std::uint8_t bytes, lane_mask lanes,
                          std::uint64_t value) {
  access_records::word& w = c.records.at(word);
  const bool is_write = c.event.kind != access::read;
  const auto short_value = static_cast<std::uint16_t>(value);
  const auto report = [&](const access_event& earlier, std::uint16_t earlier_value, const unordered_pair& pair) {
    const bool same_value =
        earlier.kind == access::write && c.event.kind == access::write && value != 0 && earlier_value == short_value;
    const access_conflict found{
        {earlier.where, earlier.kind, earlier.width}, 0, {c.event.where, c.event.kind, c.event.width}, same_value};
    findings_.add(found, {earlier.block, pair.earlier}, {block_->index, pair.later},
                  {c.request.space, word + lowest(bytes), c.request.variable});
  };
  const auto look = [&](std::uint32_t& list, bool is_own_kind) {
    for (std::uint32_t* link = &list; *link != 0;) {
      access_record& r = c.records.record(*link);
      const access_event& e = c.records.event(r);
      if ((r.bytes & bytes) == 0) {
        link = &r.next;
        continue;
      }
      const unordered_pair pair = unordered(e, r.lanes, c, lanes);
      if (pair.found && conflict(e, c.event)) report(e, r.value, pair);
      // What happened before all that this request's lanes do is told by this record from now on.
      const bool same = is_own_kind && !pair.found && e.where == c.event.where && e.block == c.event.block &&
                        e.warp == c.event.warp && r.bytes == bytes && (r.lanes & ~lanes) == 0;
      if (same && r.event != c.number) {
        *link = r.next;
      } else {
        link = &r.next;
      }
    }
  };
  look(w.writes, is_write);
  std::uint32_t& list = is_write ? w.writes : w.reads;
  if (is_write) {
    look(w.reads, false);
  } else if (w.reads != 0) {
    access_record& r = c.records.record(w.reads);
    const access_event& e = c.records.event(r);
    if (r.event != c.number && r.bytes == bytes && e.where == c.event.where && e.block == c.event.block &&
        e.warp == c.event.warp && (r.lanes & ~lanes) == 0 && !unordered(e, r.lanes, c, lanes).found) {
      w.reads = r.next;
    }
  }
  if (c.event.kind == access::write && std::popcount(lanes) > 1 && c.event.strength == access_strength::plain) {
    report(
        c.event, value == 0 ? std::uint16_t{0} : short_value,
        {true, c.request.warp * warp_size + lowest(lanes), c.request.warp * warp_size + lowest(lanes & (lanes - 1))});
  }
  if (list != 0) {
    access_record& r = c.records.record(list);
    if (r.event == c.number && r.bytes == bytes) {
      if (r.value != short_value) r.value = 0;
      r.lanes |= lanes;
      return;
    }
  }
  if (!c.records.push(list, {c.number, lanes, 0, short_value, bytes})) exhausted_ = true;
}

void ordered_races::check_alike(const warp_request& r, lane_mask lanes, bool is_strong) {
  const block_order::seen_thread& seen = order_->seen(r.thread(lowest(lanes)));
  access_records& records = r.space == memory_space::shared ? of_block_ : shared_.records();
  const access_event event{r.where,
                           r.kind,
                           is_strong ? access_strength::strong : access_strength::plain,
                           static_cast<std::uint16_t>(r.width < 0xffff ? r.width : 0xffff),
                           r.warp,
                           block_->index,
                           seen.now,
                           seen.known};
  const touch_context c{r, seen, records, event, records.number_of(event)};
  const bool has_values = r.kind == access::write && r.values != nullptr;
  const bool whole_words = r.width % 4 == 0;
  lane_mask left = lanes;
  while (left != 0) {
    const unsigned lane = lowest(left);
    const address at = r.addresses[lane];
    // Lanes of one address together, as a broadcast has them.
    lane_mask together = bit_of(lane);
    std::uint64_t value = has_values ? short_hash(r.values[lane], r.width) : 0;
    for (lane_mask rest = left & (left - 1); rest != 0; rest &= rest - 1) {
      const unsigned other = lowest(rest);
      if (r.addresses[other] != at) continue;
      together |= bit_of(other);
      if (has_values && r.values[other] != r.values[lane]) value = 0;
    }
    left &= ~together;
    if (whole_words && at % 4 == 0) {
      for (address word = at; word < at + r.width; word += 4) touch(c, word, 0xf, together, value);
      continue;
    }
    for (address byte = at; byte < at + r.width;) {
      const address word = byte & ~address{3};
      std::uint8_t bytes = 0;
      for (; byte < at + r.width && byte < word + 4; ++byte) bytes |= static_cast<std::uint8_t>(1 << (byte - word));
      touch(c, word, bytes, together, value);
    }
  }
}

void ordered_races::check(const warp_request& r, lane_mask lanes) {
  if (r.space != memory_space::shared && r.space != memory_space::global) return;
  const bool is_volatile = shared_.order()->is_volatile(r.where);
  for (lane_mask left = lanes; left != 0;) {
    const block_order::seen_thread& seen = order_->seen(r.thread(lowest(left)));
    lane_mask alike = 0;
    for (lane_mask rest = left; rest != 0; rest &= rest - 1) {
      if (order_->seen(r.thread(lowest(rest))) == seen) alike |= rest & -rest;
    }
    left &= ~alike;
    const bool is_strong = r.kind == access::atomic || (is_volatile && (r.kind == access::read || seen.fenced));
    check_alike(r, alike, is_strong);
  }
}

bool ordered_races::is_written_by_others(address a, std::uint64_t bytes, std::uint64_t block) {
  access_records& records = shared_.records();
  for (address at = a; at < a + bytes; ++at) {
    for (std::uint32_t i = records.at(at).writes; i != 0; i = records.record(i).next) {
      const access_record& r = records.record(i);
      const access_event& e = records.event(r);
      if (e.block != block && e.kind == access::write && (r.bytes >> (at % 4) & 1) != 0) return true;
    }
  }
  return false;
}

void ordered_races::launch_ends() {
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

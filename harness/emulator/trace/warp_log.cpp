#include "trace/warp_log.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "trace/hook_state.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

__thread warp_log* current_log;

void log_slowly(address where, record_key key) { current_log->log_slowly(where, key); }
void enter_bundle(record_key token) { current_log->enter_bundle(token); }

warp_log::warp_log(request_emitter& emitter)
    : emitter_(emitter),
      template_(new record_key[rows]),
      tokens_(new record_key[rows]),
      rows_(new std::uint64_t[rows * warp_size]) {
  std::fill_n(template_.get(), rows, no_key);
  std::fill_n(tokens_.get(), rows, no_key);
  std::fill_n(rows_.get(), rows * warp_size, 0);
  for (backlog& b : backlog_) {
    b.storage = std::make_unique_for_overwrite<lane_record[]>(3 * rows);
    reset(b);
  }
}

void warp_log::reset(backlog& b) { b.begin = b.end = b.storage.get() + rows; }

void warp_log::log_values(bool values) {
  values_ = hooks.values = values;
  ignores_ = false;
  std::fill_n(tokens_.get(), rows, no_key);  // an old template may have no rows for values, or too many
}

void warp_log::start_warp(std::uint32_t warp) {
  warp_ = warp;
  requests_ = 0;
  ran_ = 0;
  for (; used_ != 0; used_ &= used_ - 1) reset(backlog_[static_cast<unsigned>(std::countr_zero(used_))]);
}

void warp_log::ignore_hooks() {
  ignores_ = true;
  hooks.row = rows_.get();
  hooks.leave_template();
  hooks.pending = nullptr;
  hooks.last_write = nullptr;
  hooks.last_volatile = {};
  hooks.values = false;
}

bool warp_log::has_room(unsigned lane) const { return backlog_[lane].size() < capacity / 2; }

site warp_log::last_site(unsigned lane) const {
  if (!backlog_[lane].empty()) return site_of(backlog_[lane].end[-1].key);
  return length_[lane] == 0 ? 0 : site_of(template_[static_cast<std::size_t>(length_[lane]) - 1]);
}

std::vector<site> warp_log::repeated_sites(unsigned lane) const {
  std::map<site, unsigned> times;
  const backlog& own = backlog_[lane];
  for (const lane_record* r = own.begin; r != own.end; ++r) ++times[site_of(r->key)];
  for (std::int16_t i = 0; own.empty() && i < length_[lane]; ++i)
    if (kind_of(template_[static_cast<std::size_t>(i)]) != record_kind::value)
      ++times[site_of(template_[static_cast<std::size_t>(i)])];
  std::vector<site> repeated;
  for (const auto& [where, count] : times)
    if (count > 1) repeated.push_back(where);
  return repeated;
}

site warp_log::running_site() const {
  if (left_) return backlog_[lane_].empty() ? 0 : site_of(backlog_[lane_].end[-1].key);
  return !hooks.in_kernel() || place() == 0 ? 0 : site_of(template_[place() - 1]);
}

#ifdef __x86_64__
__attribute__((target("general-regs-only")))
#endif
bool warp_log::holds(address where, std::uint32_t bytes, bool is_write) const {
  constexpr std::size_t recent = 2 * bundle::most_events;
  if (ignores_) return false;
  const auto vouches = [&](record_key key, address at) {
    const record_kind kind = kind_of(key);
    return (kind == record_kind::write || (kind == record_kind::read && !is_write)) && where >= at &&
           where + bytes <= at + bytes_of(width_of(key));
  };
  if (!left_) {
    const std::size_t end = place();
    for (std::size_t i = end; i > 0 && end - i < recent; --i)
      if (vouches(template_[i - 1], rows_[(i - 1) * warp_size + lane_])) return true;
    return false;
  }
  const backlog& own = backlog_[lane_];
  for (std::size_t i = 0; i < own.size() && i < recent; ++i) {
    const lane_record& r = own.end[-1 - static_cast<std::ptrdiff_t>(i)];
    if (vouches(r.key, i < loose_ ? loose_rows_[(loose_ - 1 - i) * warp_size] : r.where)) return true;
  }
  return false;
}

void warp_log::leave_template() {
  length_[lane_] = static_cast<std::int16_t>(place());
  left_ = true;
  used_ |= lane_mask{1} << lane_;
  hooks.leave_template();
}

void warp_log::collect_loose_rows() {
  backlog& own = backlog_[lane_];
  for (std::size_t i = 0; i < loose_; ++i) {
    lane_record& r = own.end[static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(loose_)];
    if (kind_of(r.key) != record_kind::step) r.where = loose_rows_[i * warp_size];
  }
  loose_ = 0;
}

void warp_log::enter_bundle(record_key token) {
  const bundle& events = bundle_of(token);
  const std::size_t count = events.count;
  // Sites are distances: the base has 32 bits and is not above any of them, so that nothing is borrowed.
  const auto key_of = [&](std::size_t i) { return (events.events[i] - text_base) | (token & depth_bits); };
  for (;;) {
    if (left_) {
      collect_loose_rows();
      backlog& own = backlog_[lane_];
      if (own.end + count <= own.storage.get() + most_backlog) {
        for (std::size_t i = 0; i < count; ++i) *own.end++ = {key_of(i), 0, 0};
        loose_ = count;
        hooks.row = loose_rows_.data() + count * warp_size;
        return;
      }
      suspend_full_lane();
    } else {
      const std::size_t at = place();
      if (at + count > capacity) {
        suspend_full_lane();
      } else if (ran_ == 0) {  // the first lane of the segment: the template is what it does
        tokens_[at] = token;
        for (std::size_t i = 0; i < count; ++i) {
          template_[at + i] = key_of(i);
          if (i > 0) tokens_[at + i] = no_key;  // bundles of old templates must not begin inside
        }
      } else if (*hooks.token() != token) {
        leave_template();
        continue;
      }
    }
    if (*hooks.token() == token) break;
  }
  hooks.advance(count);
}

void warp_log::forget_beyond(site where) {
  if (left_) {
    if (loose_ == 0) return;
    lane_record*& end = backlog_[lane_].end;
    const lane_record* const first = end - loose_;
    collect_loose_rows();
    if (where < site_of(first->key)) return;  // the lane has left the bundle
    while (end - 1 > first && site_of(end[-1].key) > where) --end;
    return;
  }
  std::size_t end = place(), first = end;
  while (first > 0 && tokens_[first] == no_key) --first;
  if (first == end || !is_bundle(tokens_[first]) || where < site_of(template_[first])) return;
  while (end - 1 > first && site_of(template_[end - 1]) > where) --end;
  hooks.set_token(tokens_.get() + end);
}

void warp_log::log_slowly(address where, record_key key) {
  if (ignores_) return;
  const bool value_too = values_ && is_write(key);
  for (;;) {
    if (left_) {
      if (!makes_up) collect_loose_rows();
      backlog& own = backlog_[lane_];
      if (own.end < own.storage.get() + most_backlog) {
        // A guard stands between the reads of a bundle, which are still to tell their addresses: its access comes in front.
        lane_record* const at = own.end - loose_;
        std::move_backward(at, own.end, own.end + 1);
        *at = {key, where, 0};
        if (value_too) hooks.pending = &at->value;
        ++own.end;
        return;
      }
      suspend_full_lane();
    } else {
      const std::size_t at = place();
      if (at + 2 > capacity) {
        suspend_full_lane();
      } else if (ran_ == 0) {  // the first lane of the segment: the template is what it does
        template_[at] = tokens_[at] = key;
        if (value_too) {
          template_[at + 1] = make_key(site_of(key), 0, record_kind::value, 0);
          tokens_[at + 1] = no_key;
        }
      } else if (*hooks.token() != key) {
        leave_template();
        continue;
      }
    }
    if (*hooks.token() == key) break;
  }
  *hooks.row = where;
  hooks.advance(1);
  if (value_too) {
    hooks.pending = hooks.row;
    hooks.advance(1);
  }
}

void warp_log::prepend(backlog& b, unsigned lane, std::size_t from, std::size_t to) {
  std::size_t place = to;
  while (place > from) {
    --place;
    lane_record record;
    if (kind_of(template_[place]) == record_kind::value) {
      record.value = rows_[place * warp_size + lane];
      --place;
    }
    record.key = template_[place];
    record.where = rows_[place * warp_size + lane];
    *--b.begin = record;
  }
}

std::pair<std::size_t, std::size_t> warp_log::lengths() const {
  std::int16_t fewest = rows, most = 0;
  if (ran_ == full_warp) {  // eight at once
    for (const std::int16_t length : length_) {
      fewest = std::min(fewest, length);
      most = std::max(most, length);
    }
  } else {
    for (lane_mask m = ran_; m != 0; m &= m - 1) {
      fewest = std::min(fewest, length_[static_cast<unsigned>(std::countr_zero(m))]);
      most = std::max(most, length_[static_cast<unsigned>(std::countr_zero(m))]);
    }
  }
  return {fewest, most};
}

void warp_log::merge(lane_mask more_to_come) {
  const std::uint64_t before = emitter_.requests();
  bool backlogged = false;
  for (lane_mask m = used_; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(m));
    // Records from before this run: the lane was not entered on the template.
    backlogged |= !backlog_[lane].empty() && ((ran_ >> lane & 1) == 0 || length_[lane] == 0);
  }
  const auto [fewest, most] = lengths();
  const std::size_t uniform = backlogged || ran_ == 0 ? 0 : fewest;
  emitter_.emit_rows(template_.get(), rows_.get(), uniform, warp_, ran_);
  for (lane_mask m = most > uniform ? ran_ : 0; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(m));
    const auto length = static_cast<std::size_t>(length_[lane]);
    if (length <= uniform) continue;
    used_ |= lane_mask{1} << lane;
    prepend(backlog_[lane], lane, uniform, length);
  }
  ran_ = 0;
  if (used_ != 0) merge_slowly(more_to_come);
  requests_ += emitter_.requests() - before;
  emitter_.note_warp(requests_);
  if (requests_ > 0 && !std::exchange(works_[warp_], true)) emitter_.note_working_warp();
}

void warp_log::merge_slowly(lane_mask more_to_come) {
  lane_mask active = 0;
  for (lane_mask m = used_; m != 0; m &= m - 1)
    if (const auto lane = static_cast<unsigned>(std::countr_zero(m)); !backlog_[lane].empty())
      active |= lane_mask{1} << lane;
  std::array<address, warp_size> addresses{};
  std::array<std::uint64_t, warp_size> stored{};
  while (active != 0 && (more_to_come & ~active) == 0) {
    std::uint64_t first = ~std::uint64_t{0};
    lane_mask next = 0;
    for (lane_mask m = active; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(m));
      const std::uint64_t order = order_of(backlog_[lane].begin->key);
      if (order < first) next = 0;
      if (order <= first) next |= lane_mask{1} << lane;
      first = std::min(first, order);
    }
    const record_key key = backlog_[static_cast<unsigned>(std::countr_zero(next))].begin->key;
    const lane_mask in_segment = active;
    for (lane_mask m = next; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(m));
      backlog& b = backlog_[lane];
      addresses[lane] = b.begin->where;
      stored[lane] = b.begin->value;
      if (++b.begin == b.end) active &= ~(lane_mask{1} << lane);
    }
    emitter_.emit(key, warp_, next, addresses.data(), values_ && is_write(key) ? stored.data() : nullptr, in_segment);
  }
  used_ = active;
  for (backlog& b : backlog_) {
    const std::size_t rest = b.size();
    lane_record* home = b.storage.get() + rows;
    if (b.begin != home && rest > 0) std::memmove(home, b.begin, rest * sizeof(lane_record));
    b.begin = home;
    b.end = home + rest;
  }
}

}  // namespace simtlab::emulator

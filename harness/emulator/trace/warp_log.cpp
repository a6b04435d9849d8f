#include "trace/warp_log.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "trace/hook_state.h"

namespace simtlab::emulator {

__thread warp_log* current_log;

namespace {
record_key matches_nothing = no_key;  // what a lane that has left the template compares with
}

void log_slowly(address where, record_key key) { current_log->log_slowly(where, key); }

warp_log::warp_log(request_emitter& emitter)
    : emitter_(emitter), template_(new record_key[rows]), rows_(new std::uint64_t[rows * warp_size]) {
  std::fill_n(template_.get(), rows, no_key);
  std::fill_n(rows_.get(), rows * warp_size, 0);
  for (backlog& b : backlog_) {
    b.storage = std::make_unique<lane_record[]>(3 * rows);
    reset(b);
  }
}

void warp_log::reset(backlog& b) { b.begin = b.end = b.storage.get() + rows; }

void warp_log::log_values(bool values) {
  values_ = values;
  std::fill_n(template_.get(), rows, no_key);  // an old template may have no rows for values, or too many
}

void warp_log::start_warp(std::uint32_t warp) {
  warp_ = warp;
  ran_ = 0;
  for (backlog& b : backlog_) reset(b);
  length_.fill(0);
}

void warp_log::enter_lane(unsigned lane, std::uint8_t depth) {
  lane_ = lane;
  left_[lane] = !backlog_[lane].empty();
  length_[lane] = 0;
  before_[lane] = backlog_[lane].size();
  hooks.key = left_[lane] ? &matches_nothing : template_.get();
  hooks.row = rows_.get() + lane;
  hooks.pending = nullptr;
  hooks.depth = depth;
  hooks.values = values_;
}

std::uint64_t warp_log::leave_lane(unsigned lane) {
  settle_pending_write();
  if (!left_[lane]) length_[lane] = static_cast<std::size_t>(hooks.key - template_.get());
  hooks.key = nullptr;
  ran_ |= lane_mask{1} << lane;
  return length_[lane] + backlog_[lane].size() - before_[lane];
}

bool warp_log::has_room(unsigned lane) const { return backlog_[lane].size() < capacity / 2; }

site warp_log::last_site(unsigned lane) const {
  if (!backlog_[lane].empty()) return site_of(backlog_[lane].end[-1].key);
  return length_[lane] == 0 ? 0 : site_of(template_[length_[lane] - 1]);
}

site warp_log::running_site() const {
  if (left_[lane_]) return backlog_[lane_].empty() ? 0 : site_of(backlog_[lane_].end[-1].key);
  return hooks.key == nullptr || hooks.key == template_.get() ? 0 : site_of(hooks.key[-1]);
}

void warp_log::log_slowly(address where, record_key key) {
  const bool value_too = values_ && is_write(key);
  for (;;) {
    if (left_[lane_]) {
      backlog& own = backlog_[lane_];
      if (own.end < own.storage.get() + 2 * rows) {
        *own.end = {key, where, 0};
        if (value_too) hooks.pending = &own.end->value;
        ++own.end;
        return;
      }
      suspend_full_lane();
    } else {
      const auto place = static_cast<std::size_t>(hooks.key - template_.get());
      if (place + 2 > capacity) {
        suspend_full_lane();
      } else if (ran_ == 0) {  // the first lane of the segment: the template is what it does
        template_[place] = key;
        if (value_too) template_[place + 1] = make_key(site_of(key), 0, record_kind::value, 0);
      } else {
        length_[lane_] = place;
        left_[lane_] = true;
        hooks.key = &matches_nothing;
        continue;
      }
    }
    if (*hooks.key == key) break;
  }
  *hooks.row = where;
  hooks.row += warp_size;
  ++hooks.key;
  if (value_too) {
    hooks.pending = hooks.row;
    hooks.row += warp_size;
    ++hooks.key;
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

void warp_log::merge(lane_mask more_to_come) {
  std::size_t uniform = 0;
  bool backlogged = false;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    // Records from before this run: the lane was not entered on the template.
    backlogged |= !backlog_[lane].empty() && length_[lane] == 0;
  }
  if (!backlogged && ran_ != 0) {
    uniform = rows;
    for (lane_mask m = ran_; m != 0; m &= m - 1)
      uniform = std::min(uniform, length_[static_cast<unsigned>(std::countr_zero(m))]);
    for (std::size_t i = 0; i < uniform; ++i) {
      const record_key key = template_[i];
      std::uint64_t* row = rows_.get() + i * warp_size;
      const bool with_values = i + 1 < uniform && kind_of(template_[i + 1]) == record_kind::value;
      emitter_.emit(key, warp_, ran_, row, with_values ? row + warp_size : nullptr, ran_);
      i += with_values;
    }
  }
  for (lane_mask m = ran_; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(m));
    if (length_[lane] > uniform) prepend(backlog_[lane], lane, uniform, length_[lane]);
    length_[lane] = 0;
  }
  ran_ = 0;
  if (std::any_of(backlog_.begin(), backlog_.end(), [](const backlog& b) { return !b.empty(); }))
    merge_slowly(more_to_come);
}

void warp_log::merge_slowly(lane_mask more_to_come) {
  lane_mask active = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane)
    if (!backlog_[lane].empty()) active |= lane_mask{1} << lane;
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
  for (backlog& b : backlog_) {
    const std::size_t rest = b.size();
    lane_record* home = b.storage.get() + rows;
    if (b.begin != home && rest > 0) std::memmove(home, b.begin, rest * sizeof(lane_record));
    b.begin = home;
    b.end = home + rest;
  }
}

}  // namespace simtlab::emulator

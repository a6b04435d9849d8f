#include "checks/races/barrier_epochs/barrier_epoch_races.h"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "checks/value_digest.h"

namespace simtlab::emulator {
namespace {

lane_mask lanes_of_warp(unsigned warp, unsigned threads) {
  const unsigned lanes = threads - warp * warp_size;
  return lanes >= warp_size ? full_warp : (lane_mask{1} << lanes) - 1;
}

}  // namespace

barrier_epoch_races::barrier_epoch_races(shared_state& shared, worker_memory& memory, finding_log& findings)
    : shared_(shared),
      memory_(memory),
      log_(findings),
      threads_(memory.order, memory.pieces, memory.shapes),
      blocks_(shared.blocks()),
      findings_(shared, findings) {}

void barrier_epoch_races::launch_begins(const launch_info& l) {
  launch_ = l;
  many_blocks_ = l.grid.count() > 1;
  if (memory_.shapes.generation() != shared_.sets().generation()) memory_.shapes.clear(shared_.sets().generation());
  findings_.launch_begins(l);
}

void barrier_epoch_races::block_begins(const block_info& b) {
  block_ = &b;
  settle();  // blocks that this worker ran before share no cells with this one
  blocks_.block_begins(b.index);
  findings_.block_begins(b);
}

void barrier_epoch_races::settle() {
  memory_.order.barrier();
  memory_.pieces.reuse();
  memory_.global.reuse();
  memory_.shapes.settle();
  if (memory_.order.now() > barrier_epochs::late) [[unlikely]]
    restart_time();
}

void barrier_epoch_races::restart_time() {
  memory_.shared.wipe();
  memory_.global.wipe();
  memory_.pieces.clear();
  memory_.shapes.clear(memory_.shapes.generation());
  memory_.order.restart();
  memory_.order.barrier();
}

void barrier_epoch_races::warp_primitive(const warp_primitive_event& e) {
  if (e.operation != warp_operation::syncwarp) return;
  findings_.syncwarp(e.warp);
  const lane_mask present = lanes_of_warp(e.warp, block_->threads);
  memory_.order.syncwarp(e.warp, (e.arrived | (e.exited & e.mask)) & present, present);
  if (memory_.order.now() < barrier_epochs::latest) [[likely]]
    return;
  forgot_times_ = true;
  restart_time();
}

void barrier_epoch_races::drop_unused_shapes() {
  const shadow_states old = std::exchange(memory_.shapes, {});
  const auto move = [&](const shadow_line& l) { threads_.move_shapes(l, old); };
  memory_.shared.each_line(move);
  memory_.global.each_line(move);
  memory_.shapes.keep(old.generation());
  if (!memory_.shapes.is_full()) return;
  forgot_times_ = true;
  restart_time();
}

struct barrier_epoch_races::context {
  const warp_request& request;
  request_transitions thread_steps, block_steps;
  block_shadow::request_cells cells;

  context(const warp_request& r, history_transition_cache& steps, const block_shadow::moment& now)
      : request(r),
        thread_steps(steps, r.where, r.kind, width_trait::of(r)),
        block_steps(steps, r.where, r.kind, width_trait::of(r)),
        cells(r, now, thread_steps) {}
};

[[gnu::always_inline]] inline void barrier_epoch_races::touch_threads(block_shadow::open_line& line, context& c,
                                                                      address at, unsigned bytes,
                                                                      const lane_access& by) {
  const warp_request& r = c.request;
  threads_.touch(line, c.cells, at, bytes, by, [&](const thread_conflict& conflict, address where) {
    findings_.add(conflict, r.warp, {r.space, where, r.variable});
  });
}

void barrier_epoch_races::touch_blocks(context& c, address at, unsigned bytes, const block_store& store) {
  blocks_.touch(at, bytes, c.block_steps, store, conflicts_);
  tell_conflicts(c.request);
}

void barrier_epoch_races::read_blocks(context& c, address begin, address end) {
  blocks_.read(begin, end, c.block_steps, conflicts_);
  tell_conflicts(c.request);
}

void barrier_epoch_races::tell_conflicts(const warp_request& r) {
  if (conflicts_.empty()) [[likely]]
    return;
  for (const block_conflict& found : conflicts_) findings_.add(found, {r.space, found.at, r.variable});
  conflicts_.clear();
}

template <class Lines>
void barrier_epoch_races::check_runs(Lines& lines, const warp_request& r, const access_pattern& pattern) {
  const address first = first_address(r);
  context c(r, memory_.steps, threads_.present());
  const bool has_values = r.kind == access::write && r.values != nullptr;
  const bool is_unknown = r.kind == access::write && r.values == nullptr;
  const bool between_blocks = std::is_same_v<Lines, global_lines> && many_blocks_;
  const unsigned step = r.width < 4 ? 1 : 4;
  for (const lane_run& run : pattern.runs) {
    const address begin = first + static_cast<address>(run.distance), end = begin + run.lanes * address{r.width};
    for (run_piece p{begin, 0, run.lane}; p.begin < end; p.begin = p.end) {
      p.lane = run.lane + lanes_in(p.begin - begin, r.width);
      p.end = std::min(end, (p.begin / shadow_line::bytes + 1) * shadow_line::bytes);
      block_shadow::launch_values of_launch = nullptr;
      if (between_blocks && r.kind == access::read) {
        read_blocks(c, p.begin, p.end);
      } else if (between_blocks) {
        for (address at = p.begin; at < p.end; at += 4) {
          const std::uint32_t value = has_values ? stored_word(r, p.lane_at(at, r.width)) : 0;
          touch_blocks(c, at, 4, {r.kind == access::write, has_values, value});
        }
        if (has_values) of_launch = blocks_.first_values(p.begin);
      }
      shadow_line& line = lines.line(p.begin);
      if (step == 4 && r.kind != access::write &&
          threads_.step_row(
              line, c.cells.m, c.cells.access, r.warp,
              {static_cast<unsigned>(p.begin % shadow_line::bytes / 4), static_cast<unsigned>((p.end - p.begin) / 4),
               word_shift(r.width), lane_mask{1} << p.lane}))
        continue;
      if (!threads_.touch_units(line, c.cells.m, c.thread_steps, r, p, of_launch)) {
        block_shadow::open_line opened = threads_.open(line, c.cells.m, of_launch);
        for (address at = p.begin; at < p.end; at += step) {
          const auto lane = p.lane_at(at, r.width);
          const std::uint32_t value = has_values ? stored_word(r, p.lane_at(at / 4 * 4, r.width)) : 0;
          touch_threads(opened, c, at, step, {lane_mask{1} << lane, is_unknown, value});
        }
      }
    }
  }
  if (between_blocks) blocks_.request_ends();
}

namespace {

/// Calls `visit(address, words of the line there)` for the parts of the rows that lie in one line each, from the address `from` on, in the
/// order of their addresses, until it says false.
template <class Visit>
[[gnu::always_inline]] inline void each_part(const std::vector<word_run>& rows, address first, address from,
                                             Visit&& visit) {
  for (const word_run& row : rows) {
    const address begin = first + static_cast<address>(row.distance), end = begin + 4 * address{row.words};
    for (address at = std::max(begin, from), stop = at; at < end; at = stop) {
      stop = std::min(end, (at / shadow_line::bytes + 1) * shadow_line::bytes);
      const auto count = static_cast<unsigned>((stop - at) / 4);
      if (!visit(at, block_shadow::words_in_row{static_cast<unsigned>(at % shadow_line::bytes / 4), count, row.shift,
                                                row.lanes_of(static_cast<unsigned>((at - begin) / 4))}))
        return;
    }
  }
}

}  // namespace

template <class Lines>
void barrier_epoch_races::check_words(Lines& lines, const warp_request& r, const access_pattern& pattern) {
  const address first = first_address(r);
  const bool between_blocks = std::is_same_v<Lines, global_lines> && many_blocks_;
  address rest = first + static_cast<address>(pattern.low);
  if (!between_blocks && r.kind != access::write) {
    const block_shadow::moment now = threads_.present();
    const std::uint64_t access_number = block_shadow::access_of(r);
    const auto step = [&](address at, const block_shadow::words_in_row& words) __attribute__((always_inline)) {
      rest = at;
      const bool stepped = threads_.step_row(lines.line(at), now, access_number, r.warp, words);
      if (stepped) rest = at + 4 * address{words.count};
      return stepped;
    };
    each_part(pattern.rows, first, rest, step);
    if (rest == first + static_cast<address>(pattern.high)) [[likely]]
      return;
  }
  check_words_from(lines, rest, r, pattern);
}

template <class Lines>
[[gnu::noinline]] void barrier_epoch_races::check_words_from(Lines& lines, address rest, const warp_request& r,
                                                             const access_pattern& pattern) {
  context c(r, memory_.steps, threads_.present());
  const bool has_values = r.kind == access::write && r.values != nullptr;
  const bool between_blocks = std::is_same_v<Lines, global_lines> && many_blocks_;
  each_part(pattern.rows, first_address(r), rest, [&](address at, const block_shadow::words_in_row& words) {
    if (between_blocks && r.kind == access::read) read_blocks(c, at, at + 4 * address{words.count});
    block_shadow::open_line opened = threads_.open(lines.line(at), c.cells.m, nullptr);
    if (r.kind == access::read && threads_.step_row(opened.line, c.cells.m, c.cells.access, r.warp, words)) return true;
    for (unsigned i = 0; i < words.count; ++i, at += 4) {
      const lane_mask lanes = words.lanes << (i >> words.shift);
      std::uint32_t value = 0;
      bool is_unknown = r.kind == access::write && !has_values;
      if (has_values) {
        const std::uint64_t stored = r.values[static_cast<unsigned>(std::countr_zero(lanes))];
        value = long_digest(digest_of(stored, r.width));
        for (lane_mask more = lanes & (lanes - 1); more != 0; more &= more - 1)
          is_unknown |= r.values[static_cast<unsigned>(std::countr_zero(more))] != stored;
      }
      if (between_blocks && r.kind != access::read)
        touch_blocks(c, at, 4, {r.kind == access::write, !is_unknown, value});
      if (between_blocks && has_values) opened.of_launch = blocks_.first_values(at);
      touch_threads(opened, c, at, 4, {lanes, is_unknown, value});
    }
    return true;
  });
  if (between_blocks) blocks_.request_ends();
}

template <class Lines>
[[gnu::noinline]] void barrier_epoch_races::check_lanes(Lines& lines, const warp_request& r, lane_mask lanes) {
  context c(r, memory_.steps, threads_.present());
  const bool has_values = r.kind == access::write && r.values != nullptr;
  const bool is_unknown = r.kind == access::write && r.values == nullptr;
  const bool between_blocks = std::is_same_v<Lines, global_lines> && many_blocks_;
  const bool in_words = r.width != 1 && r.width != 2;
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    std::uint32_t value = 0;
    if (has_values) {
      value = in_words ? long_digest(digest_of(r.values[lane], r.width))
                       : unit_at(static_cast<std::uint32_t>(r.values[lane]), 0, r.width) << 8 * (r.addresses[lane] % 4);
    }
    address at = r.addresses[lane];
    const address end = at + r.width;
    while (at < end) {
      const unsigned bytes = at % 4 == 0 && end - at >= 4 ? 4 : 1;
      if (between_blocks) touch_blocks(c, at, bytes, {r.kind == access::write, has_values, value});
      block_shadow::open_line opened =
          threads_.open(lines.line(at), c.cells.m, between_blocks && has_values ? blocks_.first_values(at) : nullptr);
      touch_threads(opened, c, at, bytes, {lane_mask{1} << lane, is_unknown, value});
      at += bytes;
    }
  }
  if (between_blocks) blocks_.request_ends();
}

template <class Lines>
void barrier_epoch_races::check_in(Lines& in, const warp_request& r, const access_pattern& pattern, lane_mask lanes) {
  if (lanes != r.active) return check_lanes(in, r, lanes);
  if (!pattern.runs.empty()) return check_runs(in, r, pattern);
  if (pattern.whole_words) return check_words(in, r, pattern);
  check_lanes(in, r, lanes);
}

void barrier_epoch_races::check(const warp_request& r, const access_pattern& pattern, lane_mask lanes) {
  if (memory_.shapes.is_crowded()) [[unlikely]]
    drop_unused_shapes();
  if (r.space == memory_space::shared) {
    check_in(memory_.shared, r, pattern, lanes);
  } else if (r.space == memory_space::global) {
    check_in(memory_.global, r, pattern, lanes);
  }
}

void barrier_epoch_races::launch_ends() {
  findings_.launch_ends();
  const auto note = [&](bool holds, const char* message) {
    const sighting rank{launch_.ordinal, 0, 0};
    if (!holds || !log_.first_time(rule::incomplete_check, 0, 0, 0, rank)) return;
    log_.add({rule::incomplete_check, launch_.kernel, "", {}, {}, message}, 0, rank);
  };
  note(shared_.sets().is_exhausted(),
       "Races may have been missed: this launch touches memory in more different ways than the check can tell apart.");
  note(shared_.blocks().is_exhausted(),
       "Races may have been missed: too many blocks touch one element, each at a place of its own.");
  note(std::exchange(forgot_times_, false),
       "Races may have been missed: a block passes tens of millions of __syncwarp() between two __syncthreads().");
  note(launch_.grid.count() > grid_shadow::most_blocks,
       "Races between blocks may have been missed: the grid has more than 4,294,967,294 blocks.");
}

}  // namespace simtlab::emulator

#include "observers/races.h"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

namespace simtlab::emulator {
namespace {

lane_mask lanes_of_warp(unsigned warp, unsigned threads) {
  const unsigned lanes = threads - warp * warp_size;
  return lanes >= warp_size ? full_warp : (lane_mask{1} << lanes) - 1;
}

}  // namespace

races::races(shared_state& shared, worker_memory& memory, finding_log& findings)
    : shared_(shared),
      memory_(memory),
      log_(findings),
      threads_(memory.order, memory.pieces),
      blocks_(shared.blocks()),
      findings_(shared, findings) {}

void races::launch_begins(const launch_info& l) {
  launch_ = l;
  many_blocks_ = l.grid.count() > 1;
  findings_.launch_begins(l);
}

void races::block_begins(const block_info& b) {
  block_ = &b;
  settle();  // blocks that this worker ran before share no cells with this one
  blocks_.block_begins(b.index);
  findings_.block_begins(b);
}

void races::settle() {
  memory_.order.barrier();
  memory_.pieces.reuse();
  memory_.global.reuse();
  if (memory_.order.now() > warp_order::late) [[unlikely]]
    restart_time();
}

void races::restart_time() {
  memory_.shared.wipe();
  memory_.global.wipe();
  memory_.pieces.clear();
  memory_.order.restart();
  memory_.order.barrier();
}

void races::warp_primitive(const warp_primitive_event& e) {
  if (e.operation != warp_operation::syncwarp) return;
  const lane_mask present = lanes_of_warp(e.warp, block_->threads);
  memory_.order.syncwarp(e.warp, (e.arrived | (e.exited & e.mask)) & present, present);
  if (memory_.order.now() < warp_order::latest) [[likely]]
    return;
  forgot_times_ = true;
  restart_time();
}

struct races::context {
  const warp_request& request;
  request_steps thread_steps, block_steps;
  thread_histories::moment present;

  context(const warp_request& r, step_cache& steps, const thread_histories::moment& now)
      : request(r),
        thread_steps(steps, r.where, r.kind, r.width),
        block_steps(steps, r.where, r.kind, r.width),
        present(now) {}
};

[[gnu::always_inline]] inline void races::touch_threads(packed_cell& word, context& c, address at, unsigned bytes,
                                                        lane_mask lanes, std::uint64_t digest, bool differs) {
  const warp_request& r = c.request;
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const bool is_byte = bytes == 1 && r.width == 1 && digest != 0;
  const std::uint16_t value =
      is_byte ? thread_cell::byte_value(static_cast<std::uint32_t>(r.values[lane])) : short_digest(digest);
  const lane_access by_lanes{r.warp, lanes, r.kind == access::write, differs, value};
  const auto touch_one = [&](packed_cell& cell, address where) {
    return threads_.touch(cell, c.present, c.thread_steps, by_lanes, [&](const thread_conflict& conflict) {
      findings_.add(conflict, r.warp, {r.space, where, r.variable});
    });
  };
  if (bytes == 4 && touch_one(word, at)) [[likely]]
    return;
  byte_cells& each = threads_.bytes_of(word, c.present);
  for (unsigned i = at % 4; i < at % 4 + bytes; ++i) touch_one(each[i], at / 4 * 4 + i);
  threads_.unite(word);
}

void races::touch_blocks(context& c, address at, unsigned bytes, const block_store& store) {
  blocks_.touch(at, bytes, c.block_steps, store, conflicts_);
  tell_conflicts(c.request);
}

void races::tell_conflicts(const warp_request& r) {
  if (conflicts_.empty()) [[likely]]
    return;
  for (const block_conflict& found : conflicts_) findings_.add(found, {r.space, found.at, r.variable});
  conflicts_.clear();
}

template <class Lines>
void races::check_runs(Lines& lines, const warp_request& r, const access_pattern& pattern) {
  const address first = first_address(r);
  context c(r, memory_.steps, threads_.present());
  const bool has_values = r.kind == access::write && r.values != nullptr;
  const bool between_blocks = std::is_same_v<Lines, global_lines> && many_blocks_;
  const unsigned step = r.width < 4 ? 1 : 4;
  for (const lane_run& run : pattern.runs) {
    const address begin = first + static_cast<address>(run.distance), end = begin + run.lanes * address{r.width};
    for (run_piece p{begin, 0, run.lane}; p.begin < end; p.begin = p.end) {
      p.lane = run.lane + static_cast<unsigned>((p.begin - begin) / r.width);
      p.end = std::min(end, (p.begin / thread_line::bytes + 1) * thread_line::bytes);
      thread_line& line = lines.line(p.begin);
      if (!threads_.touch_units(line, c.present, c.thread_steps, r, p)) {
        line_cells& cells = threads_.cells_of(line, c.present);
        for (address at = p.begin; at < p.end; at += step) {
          const auto lane = p.lane_at(at, r.width);
          const std::uint64_t digest = has_values ? digest_of(r.values[lane], r.width) : 0;
          touch_threads(cells[at % thread_line::bytes / 4], c, at, step, lane_mask{1} << lane, digest, false);
        }
      }
      if (!between_blocks) continue;
      if (r.kind == access::read) {
        blocks_.read(p.begin, p.end, c.block_steps, conflicts_);
        tell_conflicts(r);
        continue;
      }
      for (address at = p.begin; at < p.end; at += 4) {
        const std::uint32_t value = has_values ? stored_word(r, p.lane_at(at, r.width)) : 0;
        touch_blocks(c, at, 4, {r.kind == access::write, has_values, value});
      }
    }
  }
  if (between_blocks) blocks_.request_ends();
}

template <class Lines>
void races::check_words(Lines& lines, const warp_request& r, const access_pattern& pattern) {
  const address first = first_address(r);
  context c(r, memory_.steps, threads_.present());
  const bool has_values = r.kind == access::write && r.values != nullptr;
  const bool between_blocks = std::is_same_v<Lines, global_lines> && many_blocks_;
  address number = ~address{0};
  line_cells* cells = nullptr;
  for (const word_group& g : pattern.words) {
    std::uint64_t digest = 0;
    bool differs = false;
    if (has_values) {
      const std::uint64_t stored = r.values[static_cast<unsigned>(std::countr_zero(g.lanes))];
      digest = digest_of(stored, r.width);
      for (lane_mask rest = g.lanes & (g.lanes - 1); rest != 0; rest &= rest - 1) {
        differs |= r.values[static_cast<unsigned>(std::countr_zero(rest))] != stored;
      }
    }
    const address at = first + static_cast<address>(g.distance);
    if (at / thread_line::bytes != number) {
      number = at / thread_line::bytes;
      cells = &threads_.cells_of(lines.line(at), c.present);
    }
    touch_threads((*cells)[at % thread_line::bytes / 4], c, at, 4, g.lanes, digest, differs);
    if (between_blocks) touch_blocks(c, at, 4, {r.kind == access::write, has_values && !differs, long_digest(digest)});
  }
  if (between_blocks) blocks_.request_ends();
}

void races::check_shared_reads(const warp_request& r, const access_pattern& pattern) {
  const address first = first_address(r);
  context c(r, memory_.steps, threads_.present());
  for (auto g = pattern.words.begin(); g != pattern.words.end();) {
    const address at = first + static_cast<address>(g->distance);
    line_cells& cells = threads_.cells_of(memory_.shared.line(at), c.present);
    const std::size_t begin = at % thread_line::bytes / 4;
    const auto end = std::min(cells.size(), begin + static_cast<std::size_t>(pattern.words.end() - g));
    for (std::size_t word = begin; word < end;) {
      word += thread_histories::read_by_third_warp(std::span(cells).subspan(word, end - word), c.present,
                                                   c.thread_steps, r.warp);
      if (word == end) break;
      const auto offset = static_cast<std::ptrdiff_t>(word - begin);
      touch_threads(cells[word], c, at + 4 * (word - begin), 4, g[offset].lanes, 0, false);
      ++word;
    }
    g += static_cast<std::ptrdiff_t>(end - begin);
  }
}

template <class Lines>
[[gnu::noinline]] void races::check_lanes(Lines& lines, const warp_request& r, lane_mask lanes) {
  context c(r, memory_.steps, threads_.present());
  const bool has_values = r.kind == access::write && r.values != nullptr;
  const bool between_blocks = std::is_same_v<Lines, global_lines> && many_blocks_;
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t digest = has_values ? digest_of(r.values[lane], r.width) : 0;
    const std::uint32_t value = !has_values ? 0
                                : r.width == 1 || r.width == 2
                                    ? unit_at(static_cast<std::uint32_t>(r.values[lane]), 0, r.width)
                                    : long_digest(digest);
    address at = r.addresses[lane];
    const address end = at + r.width;
    while (at < end) {
      const unsigned bytes = at % 4 == 0 && end - at >= 4 ? 4 : 1;
      line_cells& cells = threads_.cells_of(lines.line(at), c.present);
      touch_threads(cells[at % thread_line::bytes / 4], c, at, bytes, lane_mask{1} << lane, digest, false);
      if (between_blocks) touch_blocks(c, at, bytes, {r.kind == access::write, has_values, value});
      at += bytes;
    }
  }
  if (between_blocks) blocks_.request_ends();
}

template <class Lines>
void races::check_in(Lines& in, const warp_request& r, const access_pattern& pattern, lane_mask lanes) {
  if (lanes != r.active) return check_lanes(in, r, lanes);
  if (!pattern.runs.empty()) return check_runs(in, r, pattern);
  if (std::is_same_v<Lines, shared_lines> && r.kind == access::read && pattern.dense)
    return check_shared_reads(r, pattern);
  if (pattern.whole_words) return check_words(in, r, pattern);
  check_lanes(in, r, lanes);
}

void races::check(const warp_request& r, const access_pattern& pattern, lane_mask lanes) {
  if (r.space == memory_space::shared) {
    check_in(memory_.shared, r, pattern, lanes);
  } else if (r.space == memory_space::global) {
    check_in(memory_.global, r, pattern, lanes);
  }
}

void races::launch_ends() {
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
  note(launch_.grid.count() > block_histories::most_blocks,
       "Races between blocks may have been missed: the grid has more than 16 million blocks.");
}

}  // namespace simtlab::emulator

#include "observers/races.h"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace simtlab::emulator {
namespace {

/// Equal values of equal width give equal hashes, never 0.
std::uint64_t mixed(std::uint64_t value, std::uint32_t width) {
  std::uint64_t h = (value + width) * 0x9e3779b97f4a7c15;
  h = (h ^ h >> 32) * 0xff51afd7ed558ccd;
  return h | std::uint64_t{1} << 48 | std::uint64_t{1} << 32;
}
std::uint16_t short_hash(std::uint64_t hash) { return static_cast<std::uint16_t>(hash >> 48); }
std::uint32_t long_hash(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

lane_mask lanes_of_warp(unsigned warp, unsigned threads) {
  const unsigned lanes = threads - warp * warp_size;
  return lanes >= warp_size ? full_warp : (lane_mask{1} << lanes) - 1;
}

}  // namespace

races::races(shared_state& shared, worker_memory& memory, finding_log& findings)
    : shared_(shared),
      memory_(memory),
      log_(findings),
      threads_(memory.order),
      blocks_(shared.blocks()),
      findings_(shared, findings) {}

void races::launch_begins(const launch_info& l) {
  launch_ = l;
  many_blocks_ = l.grid.count() > 1;
  findings_.launch_begins(l);
}

void races::block_begins(const block_info& b) {
  block_ = &b;
  if (memory_.order.now() > warp_order::late) {
    memory_.shared.wipe();
    memory_.global.wipe();
    memory_.order.restart();
  }
  memory_.order.barrier();  // blocks that this worker ran before share no cells with this one
  memory_.global.block_begins();
  findings_.block_begins(b);
}

void races::warp_primitive(const warp_primitive_event& e) {
  if (e.operation != warp_operation::syncwarp) return;
  const lane_mask present = lanes_of_warp(e.warp, block_->threads);
  memory_.order.syncwarp(e.warp, (e.arrived | (e.exited & e.mask)) & present, present);
}

struct races::context {
  const warp_request& request;
  request_steps thread_steps, block_steps;
  block_access by_block;
  thread_histories::moment present;

  context(const warp_request& r, step_cache& steps, const block_info& block, const thread_histories::moment& now)
      : request(r),
        thread_steps(steps, r.where, r.kind, r.width),
        block_steps(steps, r.where, r.kind, r.width),
        by_block{block_histories::name_of(block.index), r.kind == access::write, 0},
        present(now) {}
};

template <class Cells>
[[gnu::always_inline]] inline void races::touch(Cells& cells, context& c, address at, unsigned bytes, lane_mask lanes,
                                                std::uint64_t value, bool differs) {
  constexpr bool is_global = std::is_same_v<Cells, global_cells>;
  const warp_request& r = c.request;
  const lane_access by_lanes{r.warp, lanes, r.kind == access::write, differs, short_hash(value)};
  const auto touch_one = [&](thread_cell& cell, address where) {
    threads_.touch(cell, c.present, c.thread_steps, by_lanes, [&](const thread_conflict& conflict) {
      findings_.add(conflict, r.warp, {r.space, where, r.variable});
    });
  };
  thread_cell& word = cells.word(at);
  if (bytes == 4 && !threads_.is_split(word)) [[likely]] {
    touch_one(word, at);
  } else {
    thread_cell* each = cells.bytes(at);
    if (!threads_.is_split(word)) threads_.split(word, each);
    word.time = memory_.order.now();
    for (unsigned i = at % 4; i < at % 4 + bytes; ++i) touch_one(each[i], at / 4 * 4 + i);
  }
  if constexpr (is_global) {
    if (!many_blocks_) return;
    c.by_block.value = differs ? 0 : long_hash(value);
    blocks_.touch(at, bytes, c.block_steps, c.by_block, conflicts_);
    if (conflicts_.empty()) [[likely]]
      return;
    for (const block_conflict& found : conflicts_) findings_.add(found, {r.space, found.at, r.variable});
    conflicts_.clear();
  }
}

template <class Cells>
void races::check_words(Cells& cells, const warp_request& r, const access_pattern& pattern) {
  const address first = first_address(r);
  context c(r, memory_.steps, *block_, threads_.present());
  const bool has_values = r.kind == access::write && r.values != nullptr;
  for (const word_group& g : pattern.words) {
    std::uint64_t value = 0;
    bool differs = false;
    if (has_values) {
      const std::uint64_t stored = r.values[static_cast<unsigned>(std::countr_zero(g.lanes))];
      value = mixed(stored, r.width);
      for (lane_mask rest = g.lanes & (g.lanes - 1); rest != 0; rest &= rest - 1) {
        differs |= r.values[static_cast<unsigned>(std::countr_zero(rest))] != stored;
      }
    }
    touch(cells, c, first + static_cast<address>(g.distance), 4, g.lanes, value, differs);
  }
}

template <class Cells>
[[gnu::noinline]] void races::check_lanes(Cells& cells, const warp_request& r, lane_mask lanes) {
  context c(r, memory_.steps, *block_, threads_.present());
  const bool has_values = r.kind == access::write && r.values != nullptr;
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t value = has_values ? mixed(r.values[lane], r.width) : 0;
    address at = r.addresses[lane];
    const address end = at + r.width;
    while (at < end) {
      const unsigned bytes = at % 4 == 0 && end - at >= 4 ? 4 : 1;
      touch(cells, c, at, bytes, lane_mask{1} << lane, value, false);
      at += bytes;
    }
  }
}

void races::check(const warp_request& r, const access_pattern& pattern, lane_mask lanes) {
  const bool by_words = pattern.whole_words && lanes == r.active;
  if (r.space == memory_space::shared) {
    if (by_words) return check_words(memory_.shared, r, pattern);
    return check_lanes(memory_.shared, r, lanes);
  }
  if (r.space != memory_space::global) return;
  if (by_words) return check_words(memory_.global, r, pattern);
  check_lanes(memory_.global, r, lanes);
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
  note(launch_.grid.count() > block_histories::most_blocks,
       "Races between blocks may have been missed: the grid has more than 16 million blocks.");
}

}  // namespace simtlab::emulator

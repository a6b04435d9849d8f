#include "checks/races/race_findings.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "checks/region_text.h"
#include "report/barrier_gap.h"

namespace simtlab::emulator {
namespace {

constexpr std::uint64_t any_block = std::numeric_limits<std::uint64_t>::max();

/// Of a plain read against an atomic operation, the read; otherwise 0.
site read_against_atomic(const access_conflict& c) {
  if (c.earlier.kind == access::read && c.later.kind == access::atomic) return c.earlier.where;
  return c.earlier.kind == access::atomic && c.later.kind == access::read ? c.later.where : 0;
}

const char* const probe_text =
    "The element is read plainly while others change it by atomic operations. Nothing but the first guess of an "
    "atomicCAS "
    "is made of the value, so a wrong one does no harm: the atomicCAS finds it out. This is how the CUDA programming "
    "guide "
    "writes such loops. Any other use of the value would be a race.";

/// The sentence on what each access does to the other.
std::string chance_text(const access_conflict& c) {
  if (c.same_value) {
    return "All of them stored the same value, so the answer is right on today's hardware, but the language does not "
           "promise it: let one thread do the write.";
  }
  if (c.scope) {
    return "An operation of block scope (atomicAdd_block and its kin, a volatile write behind a __threadfence_block()) "
           "is of one piece to the threads of its own block only.";
  }
  if (c.out_of_order) {
    return "Both are volatile, which keeps each access and no order between two places: the thread that reads has seen "
           "what the other stored later, and may still read the old value here.";
  }
  if (c.earlier.kind == access::atomic || c.later.kind == access::atomic) {
    return "An atomic operation protects against other atomics only, not against a plain access to the same element.";
  }
  if (c.earlier.kind == access::write && c.later.kind == access::write) {
    return "Which of the values stays is chance.";
  }
  return "Whether the old or the new value is read is chance.";
}

std::string action_text(const access_conflict::side& s, const memory_region* region, const raced_element& e) {
  return std::string(verb(s.kind)) + " " + element_text(region, e.space, e.at, s.width & width_trait::all_bytes);
}

/// What is known of the warps of two threads that race.
struct warps_of_race {
  bool one_warp = false;      ///< the block has no other
  bool same_warp = false;     ///< both threads are its lanes; of other threads that race there, nobody knows
  bool by_syncwarp = false;   ///< and it has passed a __syncwarp() since the block's last barrier: it works on its own
  bool has_barrier = false;   ///< the block has passed a barrier
  bool shared_write = false;  ///< several threads write the element in one instruction
};

std::string advice_inside_block(const access_conflict& c, memory_space space, const warps_of_race& by) {
  const auto [one_warp, same_warp, by_syncwarp, has_barrier, shared_write] = by;
  if (c.same_value) return "";
  if (c.out_of_order) return " Put a __threadfence_block() between the two stores, and one between the two reads.";
  if (shared_write && c.earlier.kind != c.later.kind && c.earlier.kind != access::atomic &&
      c.later.kind != access::atomic) {
    return " Where every thread adds its part to this place, write atomicAdd(address, part): with += parts get lost. "
           "Fewer atomic operations are needed where a block sums up in shared memory first (a reduction).";
  }
  if (c.earlier == c.later || shared_write) {
    if (c.earlier.kind == access::write && same_warp)
      return " Lanes of one warp store to one address. Where each computes an element of its own, two have computed "
             "the same index: check what the row is multiplied by, and that every index is compared with its own "
             "limit. "
             "Where one of them has the result, let it store alone: if (lane == 0).";
    if (c.earlier.kind == access::write && c.later.kind == access::write)
      return " Where each thread computes an element of its own, two have computed the same index: check what the row "
             "is multiplied by, and that every index is compared with its own limit. Where they add to one element, "
             "use an atomic operation: atomicAdd and its kin.";
    return " Give each thread an element of its own, or let them update the one with an atomic operation: atomicAdd "
           "and its kin.";
  }
  if (one_warp) {
    return " Not even the lanes of one warp run in step: put a __syncwarp() between the two accesses, or a "
           "__syncthreads().";
  }
  if (by_syncwarp) {
    return " Both threads are lanes of one warp: put a __syncwarp() between the two accesses. Where one line does "
           "both, "
           "take it apart: read into a variable, __syncwarp(), write. Threads that have returned would miss a "
           "__syncthreads().";
  }
  if (same_warp && has_barrier && space == memory_space::shared) {
    return warp_advice_mark;
  }
  return std::string(" Put a __syncthreads() between the two accesses, where every thread of the block passes it") +
         (space == memory_space::global ? "; it orders global memory inside the block as well." : ".") +
         (!same_warp || has_barrier       ? ""
          : space == memory_space::shared ? warp_alternative_mark
                                          : warp_alternative);
}

/// Two stores at different places of the source, to one element of dynamic shared memory: arrays that the kernel lays out
/// there itself may overlap, and every `extern __shared__` array of a kernel begins at the same address.
std::string overlap_text(const access_conflict& c, const memory_region* region) {
  const bool two_stores =
      c.earlier.kind == access::write && c.later.kind == access::write && c.earlier.where != c.later.where;
  if (!two_stores || region == nullptr || !is_dynamic_shared(*region)) return "";
  return " If these lines store to two arrays, the arrays overlap: all extern __shared__ arrays of a kernel begin at "
         "the same "
         "address. Declare one, and let the next array begin where the one before ends: second = first + its number of "
         "elements.";
}

/// Two blocks that write have mistaken the index, or both add; one that reads what another writes mostly adds.
std::string advice_between_blocks(const access_conflict& c) {
  if (c.out_of_order) return "";
  const std::string others = "give each block an element of its own, or split the work into two launches.";
  if (c.scope || c.earlier.kind == access::atomic || c.later.kind == access::atomic)
    return " Use an atomic operation, " + others;
  const bool all_write = c.earlier.kind == access::write && c.later.kind == access::write;
  if (!all_write)
    return " Where every block adds its part to this place, write atomicAdd(address, part): with += parts get lost. "
           "Else " +
           others;
  return std::string(" If each block has elements of its own to write, their index lacks blockIdx.x * blockDim.x.") +
         (c.same_value ? "" : " If all of them add to this one, use atomicAdd.");
}

}  // namespace

void race_findings::launch_begins(const launch_info& l) {
  launch_ = l;
  seen_.clear();
  undecided_.clear();
  between_warps_ = false;
}

bool race_findings::is_of_two_strong(const access_conflict& c, bool in_one_block) const {
  const site read = read_against_atomic(c);
  if (read == 0 || !shared_.volatiles().contains(read)) return false;
  const access_conflict::side& atomic = c.earlier.kind == access::atomic ? c.earlier : c.later;
  return in_one_block || (atomic.width & width_trait::in_block) == 0;
}

rule race_findings::rule_of(const access_conflict& c, memory_space space) const {
  if (c.same_value) return rule::same_value_race;
  if (const site read = read_against_atomic(c); read != 0 && shared_.probes().is_probe(read))
    return rule::first_guess_race;
  return space == memory_space::shared ? rule::shared_race : rule::global_race;
}

template <class Tell>
bool race_findings::wait(const access_conflict& c, const finding_key& k, const sighting& rank, std::uint64_t times,
                         Tell&& tell) {
  const site read = read_against_atomic(c);
  if (deciding_ || read == 0 || !shared_.probes().is_candidate(read)) return false;
  const auto [at, fresh] = undecided_.try_emplace({rule::first_guess_race, k.low, k.high, k.variable});
  undecided& u = at->second;
  u.times += times;
  if (!fresh && !(rank < u.best)) return true;
  u.best = rank;
  u.tell = std::forward<Tell>(tell);
  return true;
}

bool race_findings::is_news(const finding_key& k, const sighting& rank, std::uint64_t times) {
  const auto [at, fresh] = seen_.try_emplace(k);
  seen& s = at->second;
  if (!fresh && !(rank < s.best)) {
    s.untold += times;
    return false;
  }
  s.best = rank;
  return findings_.first_time(k.what, k.low, k.high, k.variable, rank, times);
}

void race_findings::add_inside_block(const access_conflict& c, const pair_in_block& by, const raced_element& element) {
  if (is_of_two_strong(c, true)) return;
  // In a larger block the pair that is told may share a warp by chance: others need not.
  const bool one_warp = launch_.block.count() <= warp_size;
  const bool same_warp = by.knows_earlier && by.earlier / warp_size == by.later / warp_size;
  if (by.knows_earlier && !same_warp && element.space == memory_space::shared) between_warps_ = true;
  const memory_region* region = region_of(shared_.map(), element.space, element.at);
  const variable_id variable = region == nullptr ? element.variable : region->id;
  const finding_key k{rule_of(c, element.space), std::min(c.earlier.where, c.later.where),
                      std::max(c.earlier.where, c.later.where), variable};
  const sighting rank{launch_.ordinal, block_->index, by.later};
  const auto tell = [this, c, by, element, block = *block_, barrier = barrier_,
                     syncwarps = syncwarps_](std::uint64_t times) {
    block_ = &block;
    barrier_ = barrier;
    syncwarps_ = syncwarps;
    pair_in_block all = by;
    all.times = times;
    add_inside_block(c, all, element);
  };
  if (wait(c, k, rank, by.times, tell) || !is_news(k, rank, by.times)) return;
  const auto place = [&](const access_conflict::side& s, bool known, unsigned of) {
    return raw_place{s.where, known, known ? coordinates_of(of, launch_.block) : coordinates{},
                     known ? block_->where : coordinates{}, action_text(s, region, element)};
  };
  const bool by_syncwarp = same_warp && (syncwarps_ >> by.later / warp_size % 64 & 1) != 0;
  const bool same_instruction = c.earlier == c.later;
  std::string message = same_instruction ? "Several threads of one block " : "Two threads of one block ";
  message += same_instruction && c.earlier.kind == access::write
                 ? "write the same element, and nothing orders them. "
                 : std::string("touch the same element, at least one of them writes, and ") +
                       (one_warp && barrier_ == 0  ? "there is no __syncwarp() or __syncthreads() between them. "
                        : by_syncwarp && !one_warp ? "no __syncwarp() or __syncthreads() comes between them. "
                                                   : barrier_gap_mark);
  findings_.add({k.what, launch_.kernel, region == nullptr ? "" : region->name,
                 place(c.earlier, by.knows_earlier, by.earlier), place(c.later, true, by.later),
                 k.what == rule::first_guess_race
                     ? probe_text
                     : message + chance_text(c) +
                           advice_inside_block(c, element.space,
                                               {one_warp, same_warp, by_syncwarp, barrier_ != 0, by.shared_write}) +
                           overlap_text(c, region),
                 barrier_},
                variable, rank);
}

void race_findings::add_between_blocks(access_conflict c, std::uint64_t bytes, const raced_element& element,
                                       const char* further_advice, std::optional<pair_of_blocks> by) {
  if (is_of_two_strong(c, false)) return;
  const memory_region* region = region_of(shared_.map(), element.space, element.at);
  const variable_id variable = region == nullptr ? element.variable : region->id;
  if (c.later < c.earlier) {  // which came first is chance
    std::swap(c.earlier, c.later);
    if (by) std::swap(by->earlier, by->later);
  }
  const finding_key k{rule_of(c, element.space), c.earlier.where, c.later.where, variable};
  const sighting rank{launch_.ordinal, any_block, region == nullptr ? element.at : element.at - region->begin};
  const auto tell = [this, c, element, further_advice, by](std::uint64_t times) {
    add_between_blocks(c, times, element, further_advice, by);
  };
  if (wait(c, k, rank, bytes, tell) || !is_news(k, rank, bytes)) return;
  const auto place = [&](const access_conflict::side& s, const char* whose, const launch_thread& t) {
    const std::string action = action_text(s, region, element);
    return by && launch_.names_racing_threads ? raw_place{s.where, true, coordinates_of(t.thread, launch_.block),
                                                          coordinates_of(t.block, launch_.grid), action}
                                              : raw_place{s.where, false, {}, {}, whose + action};
  };
  const auto [first, second] = by.value_or(pair_of_blocks{});
  findings_.add(
      {k.what, launch_.kernel, region == nullptr ? "" : region->name, place(c.earlier, "of one block ", first),
       place(c.later, "of another block ", second),
       k.what == rule::first_guess_race
           ? probe_text
           : "Two blocks touch the same element, at least one of them writes, and nothing orders blocks: they "
             "run in any order, and __syncthreads() holds inside one block only. " +
                 chance_text(c) + advice_between_blocks(c) + further_advice},
      variable, rank);
}

void race_findings::add(const thread_conflict& conflict, unsigned warp, const raced_element& element) {
  const auto first_lane = static_cast<unsigned>(std::countr_zero(conflict.lanes));
  for (const access_conflict& c : shared_.sets().conflicts(conflict.from, conflict.access)) {
    // The thread of the other access, as far as the cell knows it, and one of this access that is not the same.
    unsigned thread = warp * warp_size + first_lane, other = thread;
    constexpr labels is_b = label::thread_b | label::foreign_b;
    if ((c.earlier_by & label::thread_a) != 0 && conflict.a != thread) {
      other = conflict.a;
    } else if ((c.earlier_by & is_b) != 0 && conflict.b != thread) {
      other = conflict.b;
    } else if (c.earlier == c.later && std::popcount(conflict.lanes) > 1) {
      other = thread;
      thread = warp * warp_size + static_cast<unsigned>(std::countr_zero(conflict.lanes & (conflict.lanes - 1)));
    } else if ((c.earlier_by & label::thread_a) != 0 && std::popcount(conflict.lanes) > 1) {
      other = conflict.a;
      thread = warp * warp_size + static_cast<unsigned>(std::countr_zero(conflict.lanes & (conflict.lanes - 1)));
    }
    const bool shared_write = (c.later.kind == access::write && std::popcount(conflict.lanes) > 1) ||
                              (c.earlier.kind == access::write && std::popcount(c.earlier_by) > 1);
    add_inside_block(c, {other, thread, other != thread, shared_write}, element);
  }
}

void race_findings::add(const block_conflict& conflict, const raced_element& element) {
  for (const access_conflict& c : shared_.sets().conflicts(conflict.from, conflict.access))
    add_between_blocks(c, conflict.bytes, element, "");
}

void race_findings::add(const access_conflict& c, const launch_thread& earlier, const launch_thread& later,
                        const raced_element& element, std::uint64_t times) {
  if (earlier.block == later.block)
    return add_inside_block(c, {earlier.thread, later.thread, true, false, times}, element);
  add_between_blocks(c, times, element,
                     " A flag, a ticket or a lock orders blocks only with fences: a __threadfence() between the write "
                     "and the atomic operation that announces it, and one behind the atomic operation that finds it "
                     "announced.",
                     pair_of_blocks{earlier, later});
}

void race_findings::launch_ends() {
  deciding_ = true;
  for (const auto& [k, u] : undecided_) u.tell(u.times);
  deciding_ = false;
  undecided_.clear();
  if (between_warps_) findings_.note_race_between_warps(launch_.kernel);
  constexpr sighting never_best{any_block, any_block, any_block};
  for (const auto& [k, s] : seen_) {
    if (s.untold > 0) findings_.first_time(k.what, k.low, k.high, k.variable, never_best, s.untold);
  }
  seen_.clear();
}

}  // namespace simtlab::emulator

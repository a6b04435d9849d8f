#include "checks/memory/pending_copies.h"

#include <algorithm>
#include <array>
#include <bit>

#include "checks/region_text.h"

namespace simtlab::emulator {
namespace {

constexpr address copied_word = 4;  // no asynchronous copy has less

}  // namespace

void pending_copies::block_begins(const block_info& b) {
  block_ = &b;
  threads_.clear();
  words_.clear();
}

void pending_copies::note(const copy_step& s, const completion& done) {
  std::vector<std::vector<open_copy>> of_lanes(warp_size);
  for (lane_mask rest = s.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint32_t thread = s.warp * warp_size + lane;
    if (s.what == copy_event::begin || s.what == copy_event::begin_tracked) {
      begin(thread,
            {s.where, s.values[lane], s.bytes, threads_[thread].committed, s.what == copy_event::begin_tracked});
    } else if (s.what == copy_event::commit) {
      ++threads_[thread].committed;
    } else {
      of_lanes[lane] = completed(thread, s);
    }
  }
  hand_on(s, of_lanes, done);
}

void pending_copies::begin(std::uint32_t thread, const open_copy& c) {
  threads_[thread].open.push_back(c);
  for (address word = c.at / copied_word; word < (c.at + c.bytes) / copied_word; ++word) words_[word] = {thread, c};
}

std::vector<pending_copies::open_copy> pending_copies::completed(std::uint32_t thread, const copy_step& s) {
  thread_copies& own = threads_[thread];
  const auto left = static_cast<std::uint32_t>(s.values[thread % warp_size]);
  const auto is_complete = [&](const open_copy& c) {
    if (s.what == copy_event::arrive || c.is_tracked) return s.what == copy_event::arrive && c.is_tracked;
    return s.what == copy_event::wait_for_all || c.group + left < own.committed;
  };
  std::vector<open_copy> done;
  std::erase_if(own.open, [&](const open_copy& c) {
    if (!is_complete(c)) return false;
    done.push_back(c);
    return true;
  });
  if (s.what != copy_event::arrive) own.waited_at = own.committed;
  for (const open_copy& c : done)
    for (address word = c.at / copied_word; word < (c.at + c.bytes) / copied_word; ++word)
      if (const auto there = words_.find(word); there != words_.end() && there->second.thread == thread)
        words_.erase(there);
  return done;
}

void pending_copies::hand_on(const copy_step& s, std::vector<std::vector<open_copy>>& of_lanes,
                             const completion& done) const {
  for (std::size_t number = 0;; ++number) {
    lane_mask rest = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
      if (number < of_lanes[lane].size()) rest |= lane_mask{1} << lane;
    if (rest == 0) return;
    while (rest != 0) {  // the lanes of one line and width together
      const open_copy first = of_lanes[static_cast<std::size_t>(std::countr_zero(rest))][number];
      const memory_region* const region = map_.find_shared(first.at);
      std::array<address, warp_size> at{};
      lane_mask together = 0;
      for (lane_mask others = rest; others != 0; others &= others - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(others));
        const open_copy& c = of_lanes[lane][number];
        if (c.where != first.where || c.bytes != first.bytes) continue;
        at[lane] = c.at;
        together |= lane_mask{1} << lane;
      }
      rest &= ~together;
      if (region == nullptr) continue;  // told already, as out of bounds
      done({.where = first.where,
            .kind = access::write,
            .space = memory_space::shared,
            .variable = region->id,
            .width = first.bytes,
            .warp = s.warp,
            .active = together,
            .addresses = at.data()});
    }
  }
}

void pending_copies::look_up(const warp_request& r, lane_mask lanes) {
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    for (address word = r.addresses[lane] / copied_word; word * copied_word < r.addresses[lane] + r.width; ++word)
      if (const auto there = words_.find(word); there != words_.end()) {
        report(r, lane, there->second);
        break;
      }
  }
}

std::string pending_copies::advice(const word_writer& w, std::uint32_t thread) const {
  const auto of_writer = threads_.find(w.thread);
  const thread_copies& own = of_writer->second;
  const std::uint32_t behind = own.committed - w.copy.group;  // groups, the copy's own among them
  std::string text;
  if (w.copy.is_tracked)
    text =
        "The barrier or the pipeline that keeps track of it comes first: arrive, or producer_commit(), and wait there.";
  else if (behind == 0)
    text =
        "It belongs to no group yet: __pipeline_commit() or cp.async.commit_group, then the wait for it "
        "(__pipeline_wait_prior(0), cp.async.wait_group 0) come first.";
  else if (own.waited_at <= w.copy.group)
    text = "Its thread has not waited for it: __pipeline_wait_prior(" + std::to_string(behind - 1) +
           ") or cp.async.wait_group " + std::to_string(behind - 1) + " comes first.";
  else
    text = "The wait before leaves its group open, behind which " + std::to_string(behind - 1) +
           " more were committed: __pipeline_wait_prior(" + std::to_string(behind - 1) + "), cp.async.wait_group " +
           std::to_string(behind - 1) + " or one more consumer_wait() waits for it.";
  if (thread != w.thread) text += " Another thread's copy needs a barrier behind that wait, too.";
  return text;
}

void pending_copies::report(const warp_request& r, unsigned lane, const word_writer& w) {
  const launch_info& launch = *block_->launch;
  const std::uint32_t thread = r.thread(lane);
  const sighting rank{launch.ordinal, block_->index, thread};
  const memory_region* const region = map_.find_shared(r.addresses[lane]);
  const variable_id variable = region == nullptr ? 0 : region->id;
  if (!findings_.first_time(rule::shared_race, r.where, w.copy.where, variable, rank)) return;
  const std::string element = element_text(region, memory_space::shared, r.addresses[lane], r.source_width());
  findings_.add(
      {rule::shared_race,
       launch.kernel,
       map_.name(variable),
       {r.where, true, coordinates_of(thread, launch.block), block_->where, std::string(verb(r.kind)) + " " + element},
       {w.copy.where, true, coordinates_of(w.thread, launch.block), block_->where, "copies to it asynchronously"},
       "The copy may not be complete: whether the old or the new value is there is chance. " + advice(w, thread)},
      variable, rank);
}

}  // namespace simtlab::emulator
